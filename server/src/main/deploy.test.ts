import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { copyPackage, packagesOf } from '../../../tools/pack.mjs'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Service = { environment?: Record<string, string>; volumes?: string[]; read_only?: boolean }
const compose = parse(read('deploy/container/compose.yml')) as { services: Record<string, Service> }

/** Variables of the table in README, which its readers have. */
const known = new Set([...read('README.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name))
known.add('NODE_ENV')

test('what container and unit set are variables that the server reads', () => {
  const image = /^ENV (.*)$/m.exec(read('deploy/container/Dockerfile'))?.[1] ?? ''
  const unit = /^Environment=(.*)$/m.exec(read('deploy/systemd/aisle.service'))?.[1] ?? ''
  const set = `${image} ${unit}`.split(' ').map((each) => each.split('=')[0] ?? '')
  const named = [...set, ...Object.keys(compose.services.aisle?.environment ?? {})]
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('what the compose file asks of who starts it stands in the example, and what it mounts is there or said', () => {
  const text = read('deploy/container/compose.yml')
  const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  const offered = [...read('deploy/container/example.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(new Set(asked)).toEqual(new Set(offered))
  const mounted = [...text.matchAll(/\.\/([\w.]+):/g)].map(([, name]) => String(name))
  const said = read('docs/OPERATING.md')
  const missing = mounted.filter((name) => !existsSync(join(root, 'deploy/container', name)) && !said.includes(name))
  expect(missing).toEqual([])
})

test('the application runs from a file system that it cannot write to', () => {
  expect(compose.services.aisle?.read_only).toBe(true)
})

test('the archive holds what the server loads, and nothing that only builds or tests', () => {
  const packed = [...packagesOf('server'), ...packagesOf('fleet')].map((place) => place.replace('node_modules/', ''))
  expect(packed).toEqual(expect.arrayContaining(['pg', 'fastify', 'graphile-worker', 'mqtt', 's3mini', 'sharp']))
  expect(packed.filter((name) => /^(s3rver|vitest|esbuild|react|typescript|@types\/.*)$/.test(name))).toEqual([])
})

test('a link in a package that is packed leads to what is packed beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  mkdirSync(join(folder, 'here/lib'), { recursive: true })
  writeFileSync(join(folder, 'here/lib/libpq.so.5.18'), 'library')
  symlinkSync('libpq.so.5.18', join(folder, 'here/lib/libpq.so.5'))
  copyPackage(join(folder, 'here'), join(folder, 'there'))
  expect(readlinkSync(join(folder, 'there/lib/libpq.so.5'))).toBe('libpq.so.5.18')
  rmSync(folder, { recursive: true })
})
