import { expect, test } from 'vitest'
import { qrModules } from './qr'

/** Made with another encoder (version 2, error correction L, mask 0), not with the code under test. */
const expected = [
  '#######...#..###..#######',
  '#.....#..#...####.#.....#',
  '#.###.#.#..#....#.#.###.#',
  '#.###.#..#..#.##..#.###.#',
  '#.###.#..#..#..#..#.###.#',
  '#.....#...####.#..#.....#',
  '#######.#.#.#.#.#.#######',
  '........#..#.#.#.........',
  '###.#####...##.#.##...#..',
  '##.###..##.##...###.....#',
  '#.#...#...###......##.###',
  '..####..###.##.##..#...#.',
  '.###..#.#.##.#..###..#.##',
  '....##..####.#..#.#..#..#',
  '#.#..##.#.......#.##..###',
  '.###.#.###.#.##.#.#.#..#.',
  '#..##.#.###.##########...',
  '........#.###..##...##.##',
  '#######.##.###.##.#.##.##',
  '#.....#.#.#.#####...##.##',
  '#.###.#.####..#.######.##',
  '#.###.#....#.......####..',
  '#.###.#.###..#.##...#...#',
  '#.....#.#..#...##.#.##.#.',
  '#######.#.#.#..##.##...##',
]

test('an address becomes the modules that another encoder draws', () => {
  const rows = qrModules('https://aisle.example/')?.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))
  expect(rows).toEqual(expected)
})

test('106 bytes are the most that fit', () => {
  expect(qrModules('x'.repeat(106))).toHaveLength(37)
  expect(qrModules('x'.repeat(107))).toBeNull()
})
