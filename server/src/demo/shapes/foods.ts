import {
  MIDDLE,
  circle,
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
  text,
  type Draw,
} from './kit'

/** An instant-food bucket: foil lid with its tab, a bowl on the side. */
export const bowl: Draw = ({ main, second, label, brand }) => {
  const wall = 'M116 330H444L406 676Q403 702 378 702H182Q157 702 154 676Z'
  const strands = [198, 230, 262, 294, 326, 358].map((x) => line(`M${x} 566q12 -16 24 0`, '#f5dc8c', 9)).join('')
  return `
  ${round('wall', main)}
  ${shadow(330)}
  ${path(wall, 'url(#wall)')}
  ${clipped(
    'inside',
    wall,
    `${path('M100 540H460V720H100Z', second)}
  ${path('M100 540Q280 510 460 540', 'none', `stroke="${lighter(main, 0.5)}" stroke-width="8"`)}`,
  )}
  ${path('M176 586H384Q380 664 320 670H240Q180 664 176 586Z', '#ffffff')}
  ${ellipse(MIDDLE, 586, 104, 22, '#fbe9c2')}${strands}
  ${circle(236, 580, 15, '#fff4d8')}${circle(236, 580, 7, '#f2a73b')}${circle(322, 582, 10, '#5a9e4b')}
  ${circle(348, 576, 7, '#d4502f')}
  ${path('M96 300Q280 262 464 300L456 336Q280 306 104 336Z', '#eef1f4')}
  ${path('M96 300Q280 262 464 300Q280 330 96 300Z', '#f9fbfc')}
  ${path('M440 292L486 280Q500 290 488 306L452 312Z', '#e3e8ec')}
  ${fitted(MIDDLE, 430, 250, 84, label, inkOn(main))}${text(MIDDLE, 506, 28, brand, inkOn(main), 'opacity="0.85"')}`
}

const BAG =
  'M128 128H432Q424 170 440 250Q462 420 438 590Q426 662 434 706H126Q134 662 122 590Q98 420 120 250Q136 170 128 128Z'
const teeth = (y: number) =>
  Array.from({ length: 19 }, (_, index) =>
    line(`M${134 + index * 16} ${y}V${y + 22}`, '#ffffff', 3, 'opacity="0.35"'),
  ).join('')

const CRISP = 'stroke="#c98a24" stroke-width="3"'

/** A blown-up bag with crimped ends. */
export const bag: Draw = ({ main, second, label, brand }) => `
  ${gradient('foil', [
    [0, darker(main, 0.16)],
    [0.22, lighter(main, 0.16)],
    [0.6, main],
    [1, darker(main, 0.24)],
  ])}
  ${shadow(320, 714)}
  ${path(BAG, 'url(#foil)')}
  ${clipped(
    'inside',
    BAG,
    `${path('M90 500C200 430 340 570 480 470V720H90Z', second)}
     ${path('M90 484C200 414 340 554 480 454', 'none', `stroke="#ffffff" stroke-width="9" opacity="0.7"`)}
     ${path('M150 150Q178 400 150 690H176Q204 400 180 150Z', '#ffffff', 'opacity="0.28"')}
     ${rect(100, 128, 360, 34, '#0b1524', 0, 'opacity="0.08"')}
     ${rect(100, 676, 360, 34, '#0b1524', 0, 'opacity="0.1"')}${teeth(134)}${teeth(680)}`,
  )}
  ${[
    [212, 590, -18],
    [292, 622, 12],
    [362, 584, -8],
  ]
    .map(
      ([x = 0, y = 0, turn = 0]) =>
        `<g transform="rotate(${turn} ${x} ${y})">${ellipse(x, y, 52, 34, '#f0bb47', CRISP)}
        ${ellipse(x - 4, y - 4, 40, 23, '#fbe08e')}</g>`,
    )
    .join('')}
  ${text(MIDDLE, 226, 36, brand, inkOn(main), 'opacity="0.9"')}${fitted(MIDDLE, 352, 262, 116, label, inkOn(main))}`

const POUCH = 'M136 138H424Q432 138 432 146V640Q432 706 366 706H194Q128 706 128 640V146Q128 138 136 138Z'

/** A stand-up pouch with zip and gusset. */
export const pouch: Draw = ({ main, second, label, brand }) => `
  ${gradient('film', [
    [0, darker(main, 0.14)],
    [0.25, lighter(main, 0.12)],
    [0.7, main],
    [1, darker(main, 0.18)],
  ])}
  ${shadow(290, 714)}
  ${path(POUCH, 'url(#film)')}
  ${clipped(
    'inside',
    POUCH,
    `${rect(128, 138, 304, 40, darker(main, 0.18))}
    ${line('M140 216H420', '#ffffff', 4, 'opacity="0.4" stroke-dasharray="2 9"')}
     ${path('M128 628Q280 690 432 628V706H128Z', darker(main, 0.2))}
     ${rect(150, 138, 18, 560, '#ffffff', 9, 'opacity="0.22"')}`,
  )}
  ${circle(MIDDLE, 158, 11, lighter(main, 0.75))}
  ${rect(176, 272, 208, 270, second, 22)}
  ${rect(186, 282, 188, 250, 'none', 16, `stroke="${main}" stroke-width="3" opacity="0.55"`)}
  ${text(MIDDLE, 338, 28, brand, darker(main, 0.3))}${fitted(MIDDLE, 416, 172, 78, label, darker(main, 0.45))}
  ${line('M226 482H334', main, 8, 'opacity="0.6"')}`

/** A wrapped bar, lying at a slant. */
export const bar: Draw = ({ main, second, label, brand }) => {
  const ends = [112, 448].map((x) => path(zigzag(x), darker(main, 0.22))).join('')
  return `
  ${gradient(
    'wrap',
    [
      [0, lighter(main, 0.22)],
      [0.45, main],
      [1, darker(main, 0.24)],
    ],
    true,
  )}
  ${ellipse(MIDDLE, 560, 210, 24, '#0b1524', 'opacity="0.12" transform="rotate(-24 280 560)"')}
  <g transform="rotate(-24 280 420)">
  ${ends}${rect(112, 318, 336, 204, 'url(#wrap)', 16)}
  ${path('M112 334Q112 318 128 318H236L180 522H128Q112 522 112 506Z', second, 'opacity="0.95"')}
  ${rect(118, 332, 324, 14, '#ffffff', 7, 'opacity="0.3"')}
  ${fitted(318, 414, 206, 84, label, inkOn(main))}${text(318, 492, 26, brand, inkOn(main), 'opacity="0.85"')}
  ${circle(158, 398, 16, main)}${circle(168, 446, 10, main, 'opacity="0.7"')}
  </g>`
}

/** The crimped end beyond x=112 or x=448. */
function zigzag(x: number): string {
  const away = x < MIDDLE ? -1 : 1
  const steps = Array.from(
    { length: 12 },
    (_, step) => `L${x + away * (step % 2 === 0 ? 38 : 26)} ${330 + step * 16.4}`,
  )
  return `M${x - away * 6} 330${steps.join('')}L${x - away * 6} 510Z`
}

/** A carton with its side in the shade; `motif` is drawn on the lower front. */
const cartonWith =
  (motif: Draw): Draw =>
  (paint) => {
    const { main, second, label, brand } = paint
    return `
  ${gradient('front', [
    [0, lighter(main, 0.14)],
    [1, main],
  ])}
  ${shadow(340)}
  ${path('M118 250L168 206H456L418 250Z', lighter(main, 0.4))}
  ${path('M418 250L456 206V660L418 704Z', darker(main, 0.3))}
  ${rect(118, 250, 300, 454, 'url(#front)')}
  ${clipped(
    'face',
    'M118 250H418V704H118Z',
    `${path('M118 520Q268 450 418 540V704H118Z', second)}
    ${path('M118 520Q268 450 418 540', 'none', 'stroke="#ffffff" stroke-width="8" opacity="0.6"')}
     ${rect(118, 250, 16, 454, '#ffffff', 0, 'opacity="0.2"')}`,
  )}
  ${text(268, 312, 34, brand, inkOn(main), 'opacity="0.9"')}${fitted(268, 402, 262, 96, label, inkOn(main))}
  ${motif(paint)}`
  }

const CRUST = '#d9a55b'

export const box = cartonWith(() => {
  const holes = [
    [252, 594],
    [284, 596],
    [268, 622],
  ].map(([x = 0, y = 0]) => circle(x, y, 6, darker(CRUST, 0.4)))
  const edge = `stroke="${darker(CRUST, 0.22)}" stroke-width="5" stroke-dasharray="4 9"`
  return `${circle(268, 606, 56, CRUST)}${circle(268, 606, 44, 'none', edge)}${holes.join('')}`
})

/** Instruments and tests: a cross instead of a biscuit. */
export const kit = cartonWith(
  ({ main }) =>
    `${circle(268, 612, 54, lighter(main, 0.12))}
    ${path('M252 576H284V596H304V628H284V648H252V628H232V596H252Z', '#ffffff')}`,
)

/** Chewing gum and mints: a round jar with a wide cap. */
export const jar: Draw = ({ main, second, label, brand }) => {
  const wall = 'M152 300H408V650Q408 704 354 704H206Q152 704 152 650Z'
  return `
  ${round('wall', lighter(main, 0.55))}${round('cap', main)}
  ${shadow(270)}
  ${path(wall, 'url(#wall)')}
  ${clipped(
    'inside',
    wall,
    `${rect(152, 390, 256, 220, main)}${rect(152, 382, 256, 8, '#ffffff')}
  ${rect(152, 610, 256, 8, '#ffffff')}${rect(172, 300, 16, 404, '#ffffff', 8, 'opacity="0.4"')}`,
  )}
  ${rect(140, 208, 280, 92, 'url(#cap)', 22)}${rect(140, 270, 280, 8, darker(main, 0.2), 0, 'opacity="0.5"')}
  ${fitted(MIDDLE, 478, 210, 96, label, inkOn(main))}${text(MIDDLE, 574, 30, brand, inkOn(main), 'opacity="0.9"')}
  ${[210, 280, 350].map((x, index) => ellipse(x, 660 - (index % 2) * 8, 24, 15, mixWhite(second))).join('')}`
}

const mixWhite = (colour: string) => lighter(colour, 0.6)
