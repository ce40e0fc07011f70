import type { TemplateSlot } from '@aisle/contract/planogram/template'

const USUAL = { productId: null, priceFen: null, capacity: 8, alarmThreshold: 1 }
const FIRST_SLOTS = 6

const range = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const inOrder = (a: TemplateSlot, b: TemplateSlot) => a.layer - b.layer || a.position - b.position

/** What a new template begins with: four layers of six empty slots. */
export const blankSlots = (): TemplateSlot[] =>
  range(4).flatMap((layer) => range(FIRST_SLOTS).map((position) => ({ layer, position, ...USUAL })))

export const layersIn = (slots: readonly Pick<TemplateSlot, 'layer'>[]): number[] =>
  [...new Set(slots.map(({ layer }) => layer))].sort((a, b) => a - b)

/** As many slots in a layer: those at its end go, new ones come as the last one is sized. */
export function resized(slots: readonly TemplateSlot[], layer: number, count: number): TemplateSlot[] {
  const own = slots.filter((slot) => slot.layer === layer).sort(inOrder)
  const taken = new Set(own.map(({ position }) => position))
  const { capacity, alarmThreshold } = own.at(-1) ?? USUAL
  const free = range(10).filter((position) => !taken.has(position))
  const fresh = free
    .slice(0, Math.max(0, count - own.length))
    .map((position) => ({ ...USUAL, layer, position, capacity, alarmThreshold }))
  return [...slots.filter((slot) => slot.layer !== layer), ...own.slice(0, count), ...fresh].sort(inOrder)
}

/** As many layers: the lowest go, new ones come with as many slots as the lowest has. */
export function withLayers(slots: readonly TemplateSlot[], count: number): TemplateSlot[] {
  const layers = layersIn(slots)
  const kept = layers.slice(0, count)
  const width = slots.filter(({ layer }) => layer === layers.at(-1)).length || FIRST_SLOTS
  const fresh = range(10)
    .filter((layer) => !layers.includes(layer))
    .slice(0, Math.max(0, count - kept.length))
  return fresh.reduce(
    (all, layer) => resized(all, layer, width),
    slots.filter(({ layer }) => kept.includes(layer)).sort(inOrder),
  )
}
