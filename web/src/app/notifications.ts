/** Shows notifications, through the service worker if there is one, which phones require. */
import { fileUrl } from '$lib/urls';
import type { Leading } from './worker_protocol';

export interface News {
  title: string;
  body: string;
  tag: string; // replaced by a newer one with the same tag
  to: string; // address opened by a click
}

export const canNotify = (): boolean => 'Notification' in globalThis;
export const mayNotify = (): boolean => canNotify() && Notification.permission === 'granted';

/** Request permission, in response to a click. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** Show a notification; the returned function closes it. */
export async function notify({ title, body, tag, to }: News): Promise<() => void> {
  const data: Leading = { to };
  const icon = fileUrl('icon-192.png');
  const options = { body, tag, data, icon, badge: icon };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) {
    await worker.showNotification(title, options);
    return () => void takeAway(worker, tag);
  }
  return byPage(title, options);
}

async function takeAway(worker: ServiceWorkerRegistration, tag: string): Promise<void> {
  for (const shown of await worker.getNotifications({ tag })) shown.close();
}

function byPage(title: string, options: NotificationOptions): () => void {
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    return () => shown.close();
  } catch {
    return () => undefined; // a phone without a service worker
  }
}
