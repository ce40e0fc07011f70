/** What the accent of base.css is made of. */
export type Accent = Record<'primary' | 'primary-hover' | 'primary-text' | 'primary-soft' | 'on-primary', string>

type Rgb = readonly [number, number, number]

/** Of base.css: what stands behind links and beside buttons. */
const grounds = {
  light: { surfaces: ['#ffffff', '#f4f6f9', '#eef2f7'], base: '#ffffff', strength: 0.1 },
  dark: { surfaces: ['#0d131a', '#141c26', '#1a2430', '#1d2835'], base: '#141c26', strength: 0.28 },
} as const

const WHITE = '#ffffff'
/** WCAG 2.2 AA: text, and what must be told from its surroundings. */
const TEXT = 4.5
const SHAPE = 3

/**
 * The accent for a chosen colour: each part is the shade of it nearest to the choice that can be read where it stands.
 * White words on it, and it as words on every ground, keep AA, whatever was chosen.
 */
export function accentOf(colour: string, theme: keyof typeof grounds): Accent {
  const { surfaces, base, strength } = grounds[theme]
  const isButton = (shade: string) => contrast(shade, WHITE) >= TEXT && contrast(shade, base) >= SHAPE
  const primary = nearestShade(colour, isButton)
  const soft = mix(colour, base, strength)
  const isText = (shade: string) => [...surfaces, soft].every((ground) => contrast(shade, ground) >= TEXT)
  const hover = nearestShade(mix(primary, '#000000', 0.85), isButton)
  return {
    primary,
    'primary-hover': hover,
    'primary-text': nearestShade(colour, isText),
    'primary-soft': soft,
    'on-primary': WHITE,
  }
}

/** Lighter and darker by the same step in turn: the first that is good. White or black where none is. */
function nearestShade(colour: string, isGood: (shade: string) => boolean): string {
  for (let step = 0; step <= 100; step += 1) {
    for (const ground of ['#000000', WHITE]) {
      const shade = mix(colour, ground, 1 - step / 100)
      if (isGood(shade)) return shade
    }
  }
  return isGood(WHITE) ? WHITE : '#000000'
}

/** WCAG 2.2 contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [r, g, b] = rgbOf(colour).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** @param share of `a`, 0 to 1 */
function mix(a: string, b: string, share: number): string {
  const [from, to] = [rgbOf(a), rgbOf(b)]
  const parts = from.map((part, at) => Math.round(part * share + (to[at] ?? 0) * (1 - share)))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const rgbOf = (colour: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb
