export type Size = { width: number; height: number }
/** How a picture lies behind its frame: enlarged so much, its middle moved so far from the frame's. */
export type Lie = { zoom: number; x: number; y: number }

/** As machines show a product (specification, section 3). */
export const TARGET: Size = { width: 560, height: 800 }
export const MOST_ZOOM = 4

/** So many times the picture's own size it is drawn, so that at a zoom of 1 it just fills the frame. */
export const scaleOf = (picture: Size, frame: Size, zoom: number): number =>
  zoom * Math.max(frame.width / picture.width, frame.height / picture.height)

/** The nearest lie at which the frame shows nothing but the picture. */
export function within(picture: Size, frame: Size, { zoom, x, y }: Lie): Lie {
  const held = Math.min(MOST_ZOOM, Math.max(1, zoom))
  const scale = scaleOf(picture, frame, held)
  const spare = (side: 'width' | 'height') => Math.max(0, (picture[side] * scale - frame[side]) / 2)
  const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value))
  return { zoom: held, x: clamp(x, spare('width')), y: clamp(y, spare('height')) }
}

/** What of the picture the frame shows, in the picture's own pixels. */
export function shownOf(picture: Size, frame: Size, { zoom, x, y }: Lie): { x: number; y: number } & Size {
  const scale = scaleOf(picture, frame, zoom)
  const [width, height] = [frame.width / scale, frame.height / scale]
  return { x: (picture.width - width) / 2 - x / scale, y: (picture.height - height) / 2 - y / scale, width, height }
}
