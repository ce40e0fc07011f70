import {
  MIDDLE,
  clipped,
  darker,
  ellipse,
  fitted,
  gradient,
  inkOn,
  lighter,
  line,
  path,
  rect,
  round,
  shadow,
  stacked,
  text,
  circle,
  type Draw,
} from './kit'

const BOTTLE =
  'M250 150V178C250 218 188 236 188 316V664Q188 702 226 702H334Q372 702 372 664V316C372 236 310 218 310 178V150Z'

const rib = (y: number, colour: string) => line(`M188 ${y}Q280 ${y + 12} 372 ${y}`, colour, 3, 'opacity="0.22"')

/** A clear bottle: pale water, ribs, a band around the waist. */
export const water: Draw = ({ main, second, label }) => `
  ${round('liquid', lighter(main, 0.72))}${round('band', main)}${round('cap', second)}
  ${shadow(230)}
  ${path(BOTTLE, 'url(#liquid)')}
  ${clipped(
    'inside',
    BOTTLE,
    `${rect(180, 370, 200, 178, 'url(#band)')}
     ${path('M180 500Q230 468 280 500T380 490V548H180Z', lighter(main, 0.45), 'opacity="0.8"')}
     ${path('M180 520Q230 492 280 520T380 512V548H180Z', '#ffffff', 'opacity="0.55"')}
     ${[300, 326, 580, 606, 632, 658].map((y) => rib(y, darker(main, 0.1))).join('')}
     ${rect(206, 230, 16, 460, '#ffffff', 8, 'opacity="0.5"')}`,
  )}
  ${rect(238, 92, 84, 52, 'url(#cap)', 9)}${rect(246, 144, 68, 10, darker(main, 0.05), 4, 'opacity="0.35"')}
  ${fitted(MIDDLE, 432, 150, 66, label, '#ffffff')}`

/** Tea, juice, coffee: the drink gives the colour, a sleeve the words. */
export const bottle: Draw = ({ main, second, label, brand }) => `
  ${round('liquid', main)}${round('band', second === '#ffffff' ? '#f4f6f8' : second)}
  ${round('cap', darker(second === '#ffffff' ? main : second, 0.1))}
  ${shadow(230)}
  ${path(BOTTLE, 'url(#liquid)')}
  ${clipped(
    'inside',
    BOTTLE,
    `${rect(180, 330, 200, 270, 'url(#band)')}
     ${rect(180, 322, 200, 8, lighter(main, 0.5))}${rect(180, 600, 200, 8, lighter(main, 0.5))}
     ${circle(MIDDLE, 560, 118, main, 'opacity="0.28"')}
     ${rect(204, 220, 14, 480, '#ffffff', 7, 'opacity="0.32"')}`,
  )}
  ${rect(238, 92, 84, 52, 'url(#cap)', 9)}${rect(246, 144, 68, 10, '#ffffff', 4, 'opacity="0.4"')}
  ${label.length > 2 ? fitted(MIDDLE, 440, 156, 74, label, inkOn(second)) : ''}
  ${label.length > 2 ? '' : stacked(MIDDLE, 352, 82, label, inkOn(second))}
  ${text(MIDDLE, 578, 26, brand, inkOn(second), 'opacity="0.8"')}`

const CAN = 'M212 138H348Q356 138 360 146L380 192V650L362 696H198L180 650V192L200 146Q204 138 212 138Z'

export const can: Draw = ({ main, second, label, brand }) => `
  ${round('wall', main)}${round('metal', '#c3ccd5')}
  ${shadow(220)}
  ${path(CAN, 'url(#metal)')}${ellipse(MIDDLE, 142, 74, 13, '#e9eef2')}${ellipse(MIDDLE, 141, 56, 8, '#b8c2cc')}
  ${ellipse(MIDDLE + 8, 140, 20, 4, '#8e99a5')}
  ${clipped(
    'inside',
    'M180 192H380V650H180Z',
    `${rect(180, 192, 200, 458, 'url(#wall)')}
     ${path('M180 470C250 400 320 560 380 470V650H180Z', second, 'opacity="0.92"')}
     ${line('M180 452C250 382 320 542 380 452', lighter(main, 0.55), 8, 'opacity="0.85"')}
     ${circle(330, 256, 10, '#ffffff', 'opacity="0.35"')}${circle(348, 296, 6, '#ffffff', 'opacity="0.35"')}
     ${circle(338, 330, 4, '#ffffff', 'opacity="0.35"')}
     ${rect(200, 192, 16, 458, '#ffffff', 8, 'opacity="0.28"')}`,
  )}
  ${fitted(MIDDLE, 350, 168, 86, label, inkOn(main))}
  ${text(MIDDLE, 606, 34, brand, inkOn(second), 'opacity="0.95"')}`

/** A brick with its side in the shade and a straw. */
export const carton: Draw = ({ main, second, label, brand }) => `
  ${gradient('front', [
    [0, lighter(second, 0.1)],
    [1, darker(second, 0.05)],
  ])}
  ${shadow(270)}
  ${line('M352 196L372 92', '#dfe6ec', 16)}${line('M372 92L412 112', '#dfe6ec', 16)}
  ${line('M368 112L364 134', main, 16)}
  ${path('M176 206L226 170H408L368 206Z', lighter(main, 0.35))}
  ${path('M368 206L408 170V664L368 704Z', darker(main, 0.28))}
  ${rect(176, 206, 192, 498, 'url(#front)')}
  ${clipped(
    'face',
    'M176 206H368V704H176Z',
    `${rect(176, 206, 192, 96, main)}
     ${path('M176 560C220 510 300 610 368 540V704H176Z', main)}
     ${path('M176 596C230 546 310 646 368 580V704H176Z', darker(main, 0.16))}
     ${rect(176, 206, 14, 498, '#ffffff', 0, 'opacity="0.25"')}`,
  )}
  ${text(272, 268, 40, brand, inkOn(main))}
  ${stacked(272, 318, label.length > 2 ? 66 : 84, label, darker(main, 0.2))}`

/** A paper cup with lid and sleeve. */
export const cup: Draw = ({ main, second, label, brand }) => {
  const wall = 'M168 268H392L360 690Q358 704 344 704H216Q202 704 200 690Z'
  return `
  ${round('paper', second)}${round('sleeve', main)}${round('lid', darker(main, 0.35))}
  ${shadow(210)}
  ${path(wall, 'url(#paper)')}
  ${clipped(
    'inside',
    wall,
    `${path('M150 360H410V590H150Z', 'url(#sleeve)')}
  ${rect(186, 260, 14, 450, '#ffffff', 7, 'opacity="0.3"')}`,
  )}
  ${rect(150, 236, 260, 36, 'url(#lid)', 14)}${path('M178 236L192 196H368L382 236Z', 'url(#lid)')}
  ${line('M250 160C236 138 262 126 250 104', darker(main, 0.1), 8, 'opacity="0.35"')}
  ${line('M304 160C290 138 316 126 304 104', darker(main, 0.1), 8, 'opacity="0.35"')}
  ${circle(MIDDLE, 474, 84, lighter(second, 0.35))}${fitted(MIDDLE, 464, 132, 62, label, darker(main, 0.25))}
  ${text(MIDDLE, 530, 24, brand, darker(main, 0.1))}`
}
