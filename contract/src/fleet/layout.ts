/** Layers of a cabinet, and slots of a layer: 1 to 10 each (specification, sections 5 and 9). */
export const MOST_LAYERS = 10
export const MOST_SLOTS = 10

/** How a slot is named where nobody named it otherwise: layer A to J, then the position with two digits. */
export const slotCode = (layer: number, position: number): string =>
  `${String.fromCharCode(64 + layer)}${String(position).padStart(2, '0')}`
