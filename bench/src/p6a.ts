import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Bench, digits, type Line } from './kit/figure'
import { repository } from './kit/server'

type Chunk = { file: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

const ENTRY = 'index.html'
/** Lightest login page of the well-known admins, and an antd pro-components list page (docs/BENCH.md). */
const LOGIN_ANCHOR_KB = 345
const LIST_ANCHOR_KB = 603
const ROUTE_MAX_KB = 40
const KB = 1_000

/** What each page downloads of JavaScript in Chinese, gzip at its best, from the built web application. */
export async function p6a(_: Bench): Promise<Line[]> {
  const manifest = JSON.parse(readFileSync(join(repository, 'web/dist/.vite/manifest.json'), 'utf8')) as Manifest
  const login = filesOf(manifest, [
    ENTRY,
    'src/features/identity/signIn/login.user.tsx',
    ...texts('kernel', 'identity'),
  ])
  const shell = [ENTRY, 'src/main/app.tsx', '_session.calls', ...texts('kernel', 'screens', 'system', 'admin')]
  const list = filesOf(manifest, [...shell, 'src/features/trade/ddgl.orders.tsx', ...texts('trade')])
  return [
    against('login page', sizeOf(login), { name: "the lightest well-known admin's", kb: LOGIN_ANCHOR_KB, goal: 0.35 }),
    against('shell with the first list', sizeOf(list), {
      name: 'the same page in antd',
      kb: LIST_ANCHOR_KB,
      goal: 0.65,
    }),
    ...routes(manifest, list),
  ]
}

/** Its chunk and what only it imports, with its domain's texts; the rest is there with the first list. */
function routes(manifest: Manifest, known: ReadonlySet<string>): Line[] {
  const pages = Object.keys(manifest).filter(
    (key) => /^src\/features\/.*\.tsx$/.test(key) && !/login\.|ddgl\./.test(key),
  )
  return pages.map((page) => {
    const domain = page.split('/')[2] ?? ''
    const more = [...filesOf(manifest, [page, ...texts(domain)])].filter((file) => !known.has(file))
    const kb = sizeOf(new Set(more))
    const what = `route ${page.slice(page.lastIndexOf('/') + 1, -'.tsx'.length)}`
    return {
      id: 'P6a',
      what,
      ours: `${digits(kb)} KB`,
      anchor: '',
      value: kb,
      unit: 'KB',
      goal: { atMost: ROUTE_MAX_KB },
    }
  })
}

const texts = (...domains: string[]) => domains.map((domain) => `../contract/src/${domain}/text/zh.json`)

/** The named modules with all they import statically. Names of shared chunks begin alike and end in a hash. */
function filesOf(manifest: Manifest, names: readonly string[]): Set<string> {
  const files = new Set<string>()
  const visit = (name: string) => {
    const key = name in manifest ? name : Object.keys(manifest).find((each) => each.startsWith(name))
    const chunk = key ? manifest[key] : undefined
    if (!chunk) throw new Error(`the build has no ${name}; run npm run build`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  names.forEach(visit)
  return files
}

const sizeOf = (files: ReadonlySet<string>): number =>
  [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(repository, 'web/dist', file)), { level: 9 }).length, 0) /
  KB

function against(what: string, kb: number, anchor: { name: string; kb: number; goal: number }): Line {
  return {
    id: 'P6a',
    what,
    ours: `${digits(kb)} KB`,
    anchor: `${anchor.name} ${anchor.kb} KB`,
    value: kb / anchor.kb,
    unit: '×',
    goal: { atMost: anchor.goal },
  }
}
