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

/** A pack of tissues: soft corners, a flap, the first sheet looking out. */
export const tissue: Draw = ({ main, second, label, brand }) => {
  const pack =
    'M104 360Q98 340 118 334Q280 310 442 334Q462 340 456 360Q470 480 456 602Q462 624 442 630Q280 656 118 630' +
    'Q98 624 104 602Q90 480 104 360Z'
  return `
  ${gradient('film', [
    [0, darker(main, 0.1)],
    [0.3, lighter(main, 0.2)],
    [0.7, main],
    [1, darker(main, 0.18)],
  ])}
  ${ellipse(MIDDLE, 652, 190, 20, '#0b1524', 'opacity="0.13"')}
  ${path('M196 330Q214 214 262 246Q292 176 324 236Q366 226 364 330Z', '#ffffff')}
  ${path('M262 246Q270 290 262 328M324 236Q316 286 326 328', 'none', `stroke="${lighter(main, 0.6)}" stroke-width="5"`)}
  ${path(pack, 'url(#film)')}
  ${clipped(
    'inside',
    pack,
    `${path('M90 560Q280 500 470 560V660H90Z', second, 'opacity="0.9"')}
  ${path('M120 350Q106 480 122 620H142Q126 480 140 346Z', '#ffffff', 'opacity="0.3"')}`,
  )}
  ${rect(180, 322, 200, 62, lighter(main, 0.75), 28)}
  ${fitted(MIDDLE, 462, 260, 104, label, inkOn(main))}${text(MIDDLE, 604, 28, brand, darker(main, 0.15))}`
}

/** The mask itself, with its folds and loops, and a name tag. */
export const mask: Draw = ({ main, label, brand }) => {
  const cloth =
    'M132 300Q206 262 280 262Q354 262 428 300Q440 380 424 452Q352 520 280 520Q208 520 136 452Q120 380 132 300Z'
  const ink = darker(main === '#c9d8e4' ? '#3f7fb0' : main, 0.35)
  const fold = (y: number) => line(`M134 ${y}Q280 ${y + 26} 426 ${y}`, darker(main, 0.16), 4, 'opacity="0.55"')
  return `
  ${gradient(
    'cloth',
    [
      [0, lighter(main, 0.25)],
      [1, main],
    ],
    true,
  )}
  ${ellipse(MIDDLE, 556, 150, 16, '#0b1524', 'opacity="0.1"')}
  ${line('M136 308C40 300 40 458 140 448', lighter(main, 0.5), 13)}
  ${line('M424 308C520 300 520 458 420 448', lighter(main, 0.5), 13)}
  ${line('M136 308C40 300 40 458 140 448', '#b8c6d2', 3)}${line('M424 308C520 300 520 458 420 448', '#b8c6d2', 3)}
  ${path(cloth, 'url(#cloth)', `stroke="${darker(main, 0.12)}" stroke-width="3"`)}
  ${[336, 384, 432].map(fold).join('')}
  ${line('M230 284H330', '#ffffff', 9, 'opacity="0.85"')}
  ${rect(150, 600, 260, 104, '#ffffff', 22, `stroke="${lighter(ink, 0.7)}" stroke-width="3"`)}
  ${fitted(MIDDLE, 640, 220, 54, label, ink)}${text(MIDDLE, 690, 22, brand, ink, 'opacity="0.75"')}`
}

/** Gel, disinfectant, spray: a pump on a round bottle. */
export const pump: Draw = ({ main, second, label, brand }) => {
  const wall = 'M250 250H310V276Q380 292 380 370V650Q380 704 330 704H230Q180 704 180 650V370Q180 292 250 276Z'
  return `
  ${round('wall', lighter(main, 0.35))}${round('head', darker(main, 0.12))}
  ${shadow(220)}
  ${path('M262 196H298V250H262Z', 'url(#head)')}
  ${path('M214 130H318Q340 130 340 152V176H262V196H246V172H196V150Q196 130 214 130Z', 'url(#head)')}
  ${rect(240, 226, 80, 34, 'url(#head)', 8)}
  ${path(wall, 'url(#wall)')}
  ${clipped(
    'inside',
    wall,
    `${rect(180, 400, 200, 220, second)}${rect(180, 400, 200, 10, main)}
  ${rect(180, 610, 200, 10, main)}${rect(198, 300, 14, 396, '#ffffff', 7, 'opacity="0.42"')}`,
  )}
  ${fitted(MIDDLE, 490, 168, 80, label, darker(main, 0.3))}${text(MIDDLE, 576, 26, brand, darker(main, 0.1))}`
}

/** With the hole that it hangs by. */
const CARD =
  'M150 116H410Q432 116 432 138V682Q432 704 410 704H150Q128 704 128 682V138Q128 116 150 116Z' +
  'M246 146A10 10 0 0 0 246 166H314A10 10 0 0 0 314 146Z'

/** Hung on a card: cable, power bank or earphones under a clear bubble. */
export const gadget: Draw = ({ main, second, label, brand }) => `
  ${gradient(
    'card',
    [
      [0, lighter(main, 0.1)],
      [1, darker(main, 0.15)],
    ],
    true,
  )}
  ${shadow(300)}
  ${path(CARD, 'url(#card)', 'fill-rule="evenodd"')}
  ${text(MIDDLE, 222, 30, brand, '#ffffff', 'opacity="0.8"')}${fitted(MIDDLE, 282, 250, 76, label, '#ffffff')}
  ${rect(166, 358, 228, 300, '#ffffff', 30)}${rect(166, 358, 228, 300, second, 30, 'opacity="0.12"')}
  ${gadgetMotif(label, main, second)}
  ${path('M184 374H212L190 640H184Z', '#ffffff', 'opacity="0.6"')}`

function gadgetMotif(label: string, main: string, second: string): string {
  if (label === '充电宝') {
    const lights = [248, 268, 288, 308].map((x) => circle(x, 610, 5, x < 300 ? second : '#dfe5ea')).join('')
    return `${rect(214, 390, 132, 240, main, 26)}${rect(228, 404, 20, 212, '#ffffff', 10, 'opacity="0.14"')}
    ${path('M288 448L258 516H278L270 566L304 494H282Z', second)}${lights}`
  }
  if (label === '耳机') {
    return `${line('M236 430C236 540 280 520 280 620M324 430C324 540 280 520 280 620', main, 9)}
    ${circle(236, 424, 26, main)}${circle(324, 424, 26, main)}${circle(236, 424, 12, second)}
    ${circle(324, 424, 12, second)}${rect(270, 600, 20, 40, main, 6)}`
  }
  const coils = [78, 62, 46]
    .map((radius) => circle(MIDDLE, 500, radius, 'none', `stroke="${second}" stroke-width="9"`))
    .join('')
  return `${coils}${line('M358 500V600', second, 9)}${rect(342, 590, 32, 44, main, 6)}
  ${rect(350, 634, 16, 12, '#aab4be', 3)}${rect(196, 396, 32, 44, main, 6)}
  ${rect(204, 384, 16, 12, '#aab4be', 3)}`
}

export const umbrella: Draw = ({ main, second, label }) => {
  const canopy =
    'M72 420C80 250 170 170 280 170C390 170 480 250 488 420Q454 386 418 420Q384 384 350 420Q316 384 280 420' +
    'Q244 384 210 420Q176 384 142 420Q106 386 72 420Z'
  const panel = 'M280 170C236 220 212 310 210 420Q244 384 280 420Q316 384 350 420C348 310 324 220 280 170Z'
  return `
  ${gradient('silk', [
    [0, lighter(main, 0.24)],
    [0.55, main],
    [1, darker(main, 0.26)],
  ])}
  ${ellipse(MIDDLE, 700, 120, 16, '#0b1524', 'opacity="0.12"')}
  ${line('M280 150V640', '#8b97a3', 12)}${line('M280 640C280 700 216 700 216 652', darker(second, 0.35), 20)}
  ${line('M280 170V140', darker(main, 0.3), 14)}
  ${path(canopy, 'url(#silk)')}
  ${path(panel, second, 'opacity="0.92"')}
  ${line('M280 170C150 230 142 330 142 420M280 170C410 230 418 330 418 420', darker(main, 0.2), 3, 'opacity="0.4"')}
  ${rect(330, 520, 172, 84, '#ffffff', 18, `stroke="${lighter(main, 0.6)}" stroke-width="3"`)}
  ${fitted(416, 562, 140, 48, label, darker(main, 0.2))}`
}

/** A travel set: brush and paste in a clear case. */
export const toothbrush: Draw = ({ main, label, brand }) => `
  ${gradient('case', [
    [0, lighter(main, 0.78)],
    [1, lighter(main, 0.6)],
  ])}
  ${shadow(290)}
  ${rect(136, 130, 288, 574, 'url(#case)', 44)}
  ${rect(136, 130, 288, 574, 'none', 44, `stroke="${lighter(main, 0.35)}" stroke-width="6"`)}
  ${rect(204, 250, 34, 400, main, 17)}${rect(208, 170, 26, 110, main, 12)}
  ${[180, 196, 212, 228].map((y) => rect(234, y, 30, 10, '#ffffff', 4)).join('')}
  ${path('M316 300H388L398 610H306Z', '#ffffff')}${path('M312 430H392L398 610H306Z', main)}
  ${rect(330, 262, 44, 40, darker(main, 0.2), 8)}
  ${text(352, 530, 30, brand, '#ffffff')}
  ${rect(150, 560, 130, 92, '#ffffff', 18)}${fitted(215, 606, 108, 50, label, darker(main, 0.3))}`

const pores = [270, 300, 330].flatMap((x) => [590, 610, 630].map((y) => [x, y]))

/** Plasters and gauze: a box with one strip before it. */
export const plaster: Draw = ({ main, label, brand }) => `
  ${gradient('front', [
    [0, '#ffffff'],
    [1, '#eef2f5'],
  ])}
  ${shadow(340, 690)}
  ${path('M124 236L166 200H446L412 236Z', '#dfe6ec')}${path('M412 236L446 200V560L412 600Z', '#c5ced6')}
  ${rect(124, 236, 288, 364, 'url(#front)')}
  ${rect(124, 236, 288, 86, main)}${text(268, 292, 34, brand, inkOn(main))}
  ${fitted(268, 392, 250, 92, label, darker(main, 0.4))}
  ${path('M256 470H280V494H304V518H280V542H256V518H232V494H256Z', '#d9534f')}
  <g transform="rotate(-22 300 610)">
  ${rect(150, 566, 300, 88, lighter(main, 0.15), 44, `stroke="${darker(main, 0.12)}" stroke-width="3"`)}
  ${rect(250, 566, 100, 88, lighter(main, 0.45))}
  ${pores.map(([x = 0, y = 0]) => circle(x, y, 4, darker(main, 0.25), 'opacity="0.5"')).join('')}</g>`
