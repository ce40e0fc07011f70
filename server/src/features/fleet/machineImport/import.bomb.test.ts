import { previewFlowCards } from '@aisle/contract/fleet/flowCard'
import { previewMachineImport } from '@aisle/contract/fleet/machineImport'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sheetBombs } from '../../../testing/bombs'
import { addFamily, addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes as cardRoutes } from '../flowCard/flowCard'
import { routes } from './import.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let merchantId: number
const tokens: string[] = []

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...cardRoutes))
  const { db } = world.services
  merchantId = (await addFamily(db, NOON)).ours.merchantId
  for (const _ of [1, 2, 3]) {
    const user = await addUser(db, { merchantId, grants: ['machine.write', 'flowCard.write'] })
    tokens.push(await addSession(db, user.id, NOON))
  }
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const send = (file: Buffer, token = tokens[0] ?? '') =>
  http.call(previewMachineImport, { file: file.toString('base64') }, { token })

/** Enough to be beyond each bound; what unfolds to more is measured by the bench. */
const MB = 9
const bomb = (name: string): Buffer => sheetBombs[name]?.(MB) ?? Buffer.alloc(0)

/** Where reading stops, or never grows, before the end: what is left is told like any other sheet. */
const told: Record<string, string> = {
  'millions of empty rows': 'sheet.columns',
  'millions of cells in a row': 'sheet.columns',
  'a number without end': 'sheet.columns',
  'deep tags': 'sheet.columns',
  'entities of entities': 'sheet.columns',
  'a far corner': 'sheet.columns',
  'a size that is a lie': 'sheet.unreadable',
  'one file many times': 'sheet.unreadable',
}

test.each(Object.keys(sheetBombs))('%s: refused in words', async (name) => {
  const file = bomb(name)
  expect(file.length).toBeLessThan(700_000)
  const answer = await send(file)
  expect([name, answer.body.code]).toEqual([name, told[name] ?? 'file.tooLarge'])
})

test('a csv of nothing but line ends is too large, and data cards are read by the same reader', async () => {
  const file = Buffer.alloc(700_000, '\n')
  expect((await send(file)).body.code).toBe('file.tooLarge')
  const cards = { merchantId, file: bomb('many texts').toString('base64') }
  expect((await http.call(previewFlowCards, cards, { token: tokens[0] ?? '' })).body.code).toBe('file.tooLarge')
})

test('one person with many files is told to wait, while another one is answered', async () => {
  const heavy = bomb('deep tags')
  const mine = Array.from({ length: 6 }, () => send(heavy))
  const theirs = await send(Buffer.from('a,b\r\n1,2'), tokens[1])
  expect(theirs.body.code).toBe('sheet.columns')
  const codes = (await Promise.all(mine)).map(({ body }) => String(body.code)).toSorted()
  expect(codes).toEqual([...Array(3).fill('file.busy'), ...Array(3).fill('sheet.columns')])
})
