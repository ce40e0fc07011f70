import type { Shape } from '../data/catalog.types'
import { gadget, mask, plaster, pump, tissue, toothbrush, umbrella } from './care'
import { bottle, can, carton, cup, water } from './drinks'
import { bag, bar, bowl, box, jar, kit, pouch } from './foods'
import { type Draw, gradient, HEIGHT, lighter, mix, type Paint, rect, WIDTH } from './kit'
import { capsules, drops, sachets, syrup, tablets, tube } from './medicine'

const shapes: Record<Shape, Draw> = {
  water,
  bottle,
  can,
  carton,
  cup,
  bowl,
  bag,
  pouch,
  bar,
  box,
  kit,
  jar,
  tissue,
  mask,
  pump,
  gadget,
  umbrella,
  toothbrush,
  capsules,
  tablets,
  sachets,
  syrup,
  tube,
  drops,
  plaster,
}

/** A product's picture as SVG: drawn, not photographed, on a light ground of the product's own colour. */
export function drawPicture(shape: Shape, paint: Paint): string {
  const ground = lighter(mix(paint.main, '#dfe7ee', 0.45), 0.62)
  const size = `viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>
  ${gradient(
    'ground',
    [
      [0, lighter(ground, 0.55)],
      [1, ground],
    ],
    true,
  )}${rect(0, 0, WIDTH, HEIGHT, 'url(#ground)')}
  ${shapes[shape](paint)}
</svg>
`
  return drawn.replace(/\n\s*/g, '\n')
}
