"""A crate as a DJ's program exports it, for trying out tables that bring their own."""

from .components import BOX
from .crate import house_source
from .crate_csv import read


def own_crate() -> str:
    """Write the fewest songs a table can bring, without colours and actions."""
    songs = read(house_source()).songs[: BOX.least_songs]
    lines = [f'"{song.title}";"{song.artist}";{song.bpm}.00;{song.released[:4]}' for song in songs]
    return "\n".join(["Track Title;Artist;BPM;Date", *lines]) + "\n"
