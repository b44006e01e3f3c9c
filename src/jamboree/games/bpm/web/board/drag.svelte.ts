/** Picks a dancer up with a finger or a mouse, and puts it down where it can go. */
import type { Club } from '../model/model.svelte';
import { cellAt, LEFT, PITCH, TOP, type Point } from './geometry';
import type { Cell } from '../model/wire';

const SLIP = 8; // px a finger may slip before a press is a drag

export class Drag {
  cell = $state<Cell | null>(null); // who is in the air
  point = $state.raw<Point | null>(null); // in the floor's own measure
  pointer = 'mouse';
  private start: { cell: Cell; x: number; y: number } | null = null;
  private justDragged = false;

  constructor(private readonly club: Club) {}

  begin(event: PointerEvent, cell: Cell): void {
    this.pointer = event.pointerType || 'mouse';
    this.justDragged = false;
    this.start = this.club.partners.has(cell) ? { cell, x: event.clientX, y: event.clientY } : null;
  }

  move(event: PointerEvent, svg: SVGSVGElement): void {
    if (!this.start) return;
    if (!this.cell && Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < SLIP) return;
    if (!this.cell) this.take(this.start.cell, event, svg);
    this.point = inside(event, svg);
    this.club.look(this.under(this.point));
  }

  end(event: PointerEvent, svg: SVGSVGElement): void {
    const cell = this.cell;
    this.start = null;
    if (!cell) return;
    const target = this.club.target(this.under(inside(event, svg)) ?? cell);
    this.justDragged = true;
    this.cell = this.point = null;
    if (target && target !== 'lift') this.club.table.choose(target, this.pointer);
    else this.club.putDown();
  }

  cancel(): void {
    if (this.cell) this.club.putDown();
    this.start = this.cell = this.point = null;
  }

  /** Tell whether a click is only the end of a drag. */
  swallows(): boolean {
    const swallow = this.justDragged;
    this.justDragged = false;
    return swallow;
  }

  private take(cell: Cell, event: PointerEvent, svg: SVGSVGElement): void {
    svg.setPointerCapture?.(event.pointerId);
    this.cell = cell;
    this.club.lift(cell);
  }

  private under(point: Point): Cell | null {
    const [x, y] = [Math.floor((point.x - LEFT) / PITCH), Math.floor((point.y - TOP) / PITCH)];
    const { columns, rows } = this.club.view;
    return x >= 0 && y >= 0 && x < columns && y < rows ? cellAt(x, y) : null;
  }
}

/** A pointer's place in the floor's own measure; the floor is drawn without any space around it. */
function inside(event: PointerEvent, svg: SVGSVGElement): Point {
  const drawn = svg.getBoundingClientRect();
  const [, , width, height] = (svg.getAttribute('viewBox') ?? '0 0 1 1').split(' ').map(Number);
  return {
    x: ((event.clientX - drawn.left) / drawn.width) * width!,
    y: ((event.clientY - drawn.top) / drawn.height) * height!,
  };
}
