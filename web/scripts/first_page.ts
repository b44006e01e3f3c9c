// Puts into one file what every first page loads: over a slow line, each further round of requests costs a round trip.
interface Modules {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null;
}

/** The name of the chunk of a module that the entry imports, itself or through others; null for all that comes later. */
export function firstPage(id: string, modules: Modules): string | null {
  const visited = new Set([id]);
  for (const module of visited) {
    const found = modules.getModuleInfo(module);
    if (found?.isEntry) return 'first-page';
    for (const importer of found?.importers ?? []) visited.add(importer);
  }
  return null;
}
