import {
  circle,
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
  type Mark,
  type Paint,
} from './kit'

const markColours: Record<Mark, string> = { 'OTC 乙': '#1f8a4c', 'OTC 甲': '#c8312b', Rx: '#2b4a7d' }

/** The oval that Chinese medicine boxes carry: red for class A, green for class B. */
function marked(mark: Mark | null, x: number, y: number): string {
  if (!mark) return ''
  return `${ellipse(x, y, 46, 22, markColours[mark])}${text(x, y + 8, 22, mark.replace(' ', ''), '#ffffff')}`
}

/** A medicine box with the name in one or two lines; what it holds is drawn before it. */
function packet({ main, second, name, brand, mark }: Paint, top: number, height: number): string {
  const lines =
    name.length > 7 ? [name.slice(0, Math.ceil(name.length / 2)), name.slice(Math.ceil(name.length / 2))] : [name]
  const size = Math.min(lines.length > 1 ? 52 : 62, Math.floor(312 / Math.max(...lines.map((each) => each.length))))
  const foot = top + height
  const wave = `M92 ${foot - 60}Q260 ${foot - 110} 446 ${foot - 40}`
  const first = top + (lines.length > 1 ? 128 : 148)
  return `
  ${gradient('front', [
    [0, '#ffffff'],
    [1, '#f1f4f7'],
  ])}
  ${path(`M92 ${top}L128 ${top - 34}H478L446 ${top}Z`, lighter(main, 0.35))}
  ${path(`M446 ${top}L478 ${top - 34}V${top + height - 34}L446 ${top + height}Z`, darker(main, 0.25))}
  ${rect(92, top, 354, height, 'url(#front)')}${rect(92, top, 354, 64, main)}
  ${path(`${wave}V${foot}H92Z`, main, 'opacity="0.9"')}
  ${line(wave, second === '#ffffff' ? lighter(main, 0.5) : second, 9)}
  ${text(160, top + 44, 26, brand, inkOn(main))}${marked(mark, 384, top + 32)}
  ${lines.map((each, index) => text(269, first + index * size * 1.16, size, each, darker(main, 0.45))).join('')}`
}

/** Two rows of pits in foil; `pit` draws what lies in one. */
function blister(pit: (x: number, y: number) => string): string {
  const pits = [0, 1, 2, 3, 4].flatMap((column) => [0, 1].map((row) => pit(158 + column * 62, 592 + row * 66)))
  return `${gradient('foil', [
    [0, '#dfe5ea'],
    [0.4, '#f6f8fa'],
    [1, '#c3ccd4'],
  ])}
  <g transform="rotate(-7 280 624)">${rect(112, 544, 340, 162, 'url(#foil)', 16, 'stroke="#b3bdc7" stroke-width="2"')}
  ${pits.join('')}</g>`
}

export const capsules: Draw = (paint) =>
  `${shadow(350)}${packet(paint, 220, 350)}${blister(
    (x, y) =>
      `<g transform="rotate(-28 ${x} ${y})">${rect(x - 26, y - 14, 52, 28, paint.main, 14)}
      ${path(`M${x} ${y - 14}H${x + 12}A14 14 0 0 1 ${x + 12} ${y + 14}H${x}Z`, paint.second)}
      ${rect(x - 18, y - 9, 36, 5, '#ffffff', 2, 'opacity="0.5"')}</g>`,
  )}`

export const tablets: Draw = (paint) =>
  `${shadow(350)}${packet(paint, 220, 350)}${blister(
    (x, y) =>
      `${circle(x, y, 22, '#aeb8c2')}
      ${circle(x, y, 19, paint.second === '#ffffff' ? '#fdfdfb' : lighter(paint.second, 0.25))}
      ${line(`M${x - 11} ${y}H${x + 11}`, '#c9ced3', 3)}`,
  )}`

/** Granules: a box and two sachets that lean on it. */
export const sachets: Draw = (paint) => {
  const sachet = (x: number, turn: number) => `<g transform="rotate(${turn} ${x} 600)">
    ${rect(x - 56, 496, 112, 208, lighter(paint.main, 0.2), 6)}
    ${rect(x - 56, 496, 112, 16, '#ffffff', 4, 'opacity="0.5"')}
    ${rect(x - 56, 688, 112, 16, '#ffffff', 4, 'opacity="0.5"')}
    ${rect(x - 44, 540, 88, 100, lighter(paint.second, 0.3), 8)}
    ${fitted(x, 590, 80, 34, paint.name.slice(0, 4), darker(paint.main, 0.4))}</g>`
  return `${shadow(370)}${packet(paint, 190, 400)}${sachet(196, -9)}${sachet(330, 7)}`
}

const FLASK = 'M356 410H424V452Q470 466 470 520V676Q470 706 440 706H340Q310 706 310 676V520Q310 466 356 452Z'

/** A brown bottle before its box. */
export const syrup: Draw = (paint) => `
  ${round('glass', '#7a4a22')}${round('cap', '#f3f5f7')}
  ${shadow(380)}${packet(paint, 200, 450)}
  <g transform="translate(104 148) scale(0.79)">
  ${path(FLASK, 'url(#glass)')}
  ${rect(344, 360, 92, 58, 'url(#cap)', 8)}
  ${[360, 378, 396, 414].map((x) => line(`M${x} 370V408`, '#cdd5dc', 3)).join('')}
  ${rect(310, 530, 160, 126, '#ffffff')}${rect(310, 530, 160, 22, paint.main)}
  ${fitted(390, 604, 146, 44, paint.name.slice(0, 4), darker(paint.main, 0.4))}
  ${rect(324, 480, 12, 220, '#ffffff', 6, 'opacity="0.3"')}</g>`

/** An ointment tube before its box. */
export const tube: Draw = (paint) => `
  ${round('skin', '#ffffff')}${round('cap', paint.main)}
  ${shadow(370)}${packet(paint, 220, 380)}
  <g transform="rotate(-10 280 640)">
  ${path('M96 574H392L424 604V660L392 690H96Z', 'url(#skin)', 'stroke="#c6d0d9" stroke-width="2"')}
  ${rect(84, 568, 30, 128, '#d5dde4', 4)}
  ${path('M114 650H404L392 690H114Z', paint.main)}${rect(424, 608, 62, 48, 'url(#cap)', 8)}
  ${fitted(258, 614, 250, 40, paint.name, darker(paint.main, 0.4))}</g>`

const VIAL = 'M360 520H428Q452 520 452 548V680Q452 706 426 706H362Q336 706 336 680V548Q336 520 360 520Z'

/** A small bottle for eyes, nose or temples, beside its box. */
export const drops: Draw = (paint) => `
  ${round('bottle', lighter(paint.main, 0.45))}${round('cap', '#ffffff')}
  ${shadow(370)}${packet(paint, 200, 450)}
  ${path(VIAL, 'url(#bottle)', `stroke="${darker(paint.main, 0.15)}" stroke-width="2"`)}
  ${path('M374 420H414L424 486H364Z', 'url(#cap)', 'stroke="#c6d0d9" stroke-width="2"')}
  ${rect(360, 484, 68, 40, 'url(#cap)', 6, 'stroke="#c6d0d9" stroke-width="2"')}
  ${rect(336, 566, 116, 92, '#ffffff')}${rect(336, 566, 116, 16, paint.main)}
  ${fitted(394, 622, 106, 30, paint.name.slice(0, 5), darker(paint.main, 0.4))}
  ${rect(348, 536, 9, 160, '#ffffff', 4, 'opacity="0.5"')}`
