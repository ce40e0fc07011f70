import { expect, test } from 'vitest'
import { accentOf, contrast } from './brandColour'

const steps = ['00', '33', '66', '99', 'cc', 'ff']
const cube = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))
const grounds = {
  light: ['#ffffff', '#f4f6f9', '#eef2f7'],
  dark: ['#0d131a', '#141c26', '#1a2430', '#1d2835'],
} as const

test.each(['light', 'dark'] as const)('whatever colour is chosen, its accent can be read (%s)', (theme) => {
  const unreadable = [...cube, '#1557d6', '#0f7a43', '#808080'].filter((colour) => {
    const accent = accentOf(colour, theme)
    const onGround = [...grounds[theme], accent['primary-soft']].map((ground) =>
      contrast(accent['primary-text'], ground),
    )
    const onButton = [accent.primary, accent['primary-hover']].map((shade) => contrast(shade, accent['on-primary']))
    const isSeen = contrast(accent.primary, grounds[theme][1]) > 2.7
    return !isSeen || Math.min(...onGround, ...onButton) < 4.5
  })
  expect(unreadable).toEqual([])
})

test('a colour that can be read already stays as it was chosen', () => {
  expect(accentOf('#1557d6', 'light').primary).toBe('#1557d6')
  expect(accentOf('#0b5d33', 'light')['primary-text']).toBe('#0b5d33')
})

test('contrast is that of WCAG: black on white 21, a colour on itself 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#1557d6', '#1557d6')).toBe(1)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})
