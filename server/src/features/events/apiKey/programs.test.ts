import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../main/features'
import { addApiKey } from '../../../testing/apiKeys'
import { addMachine, addMerchant, addProduct } from '../../../testing/builders'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { openWorld, type World } from '../../../testing/world'

/** The programs of docs/PARTNERS.md and the client's package, as somebody elsewhere has them: none of our modules. */
const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/PARTNERS.md'), 'utf8')
const programs = new Map(
  [...page.matchAll(/```js\n(\/\/ node (\w+\.mjs)[\s\S]*?)```/g)].map(([, text = '', name = '']) => [name, text]),
)
const run = promisify(execFile)

let world: World
let http: HttpWorld
let folder: string
let env: Record<string, string | undefined>
let codes: string[]

beforeAll(async () => {
  world = await openWorld(new Date())
  http = await openHttp(world, routes)
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  const product = await addProduct(db, { merchantId })
  const machines = [
    await addMachine(db, { merchantId, products: [product] }),
    await addMachine(db, { merchantId, products: [product] }),
  ]
  codes = machines.map(({ code }) => code)
  const scopes = ['machine.read', 'machineGroup.write']
  const { key } = await addApiKey(db, { merchantId, name: 'Watch', scopes, at: world.services.clock.now() })
  const base = await http.app.listen({ host: '127.0.0.1', port: 0 })
  env = { ...process.env, NODE_OPTIONS: '', BASE: base, KEY: key, MERCHANT: String(merchantId) }
  folder = mkdtempSync(join(tmpdir(), 'aisle-programs-'))
  for (const [name, text] of programs) writeFileSync(join(folder, name), text)
})
afterAll(async () => {
  await http.close()
  await world.close()
  rmSync(folder, { recursive: true })
})

const linesOf = async (program: string) =>
  (await run(process.execPath, [join(folder, program)], { env, cwd: folder })).stdout.trim().split('\n')

test('the program of the page lists machines and makes its group once, however often it runs', async () => {
  const first = await linesOf('machines.mjs')
  expect(first.map((line) => line.split(' ')[0])).toEqual([...codes, 'group'])
  expect(await linesOf('machines.mjs')).toEqual(first)
  const groups = await sql<{ n: number }>`select count(*)::int as n from machine_group`.execute(world.services.db)
  expect(groups.rows[0]?.n).toBe(1)
})

const typed = `import { AisleError, createClient } from 'aisle-client'
const aisle = createClient({ url: 'http://127.0.0.1', key: '' })
const page = await aisle.call('fleet.listMachines', { connection: 'offline', pageSize: 5 })
const code: string = page.items[0]!.code
for await (const each of aisle.rows('fleet.listMachines')) each.connection satisfies 'online' | 'offline' | 'unknown'
// @ts-expect-error no such filter
await aisle.call('fleet.listMachines', { colour: 'red' })
// @ts-expect-error a key can't
await aisle.call('identity.changeOwnPassword', {})
// @ts-expect-error no list
aisle.rows('fleet.getMachine', { id: 1 })
export const refused = (thrown: unknown) => thrown instanceof AisleError && [thrown.code, thrown.fields, code]
`

test('the package is made, packed, installed elsewhere, typed there, and calls', { timeout: 180_000 }, async () => {
  const made = join(folder, 'made')
  await run(process.execPath, ['--import', 'tsx', join(root, 'tools/client.ts'), made], { cwd: root })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: made, env })
  const { version } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')) as { version: string }
  rmSync(made, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const quietly = ['--offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...quietly, join(folder, `aisle-client-${version}.tgz`)], { cwd: folder, env })
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/typed.ts'), typed)
  const strict = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    '',
    '--lib',
    'es2022,dom',
  ]
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, ...strict, join(folder, 'src/typed.ts')], { cwd: folder })
  const said = await linesOf('watch.mjs')
  expect(said.map((line) => line.split(' ')[0])).toEqual(codes)
  // The group is there by now.
  expect((await linesOf('watch.mjs')).at(-1)).toMatch(/^\w+\.\w+ \[/)
})
