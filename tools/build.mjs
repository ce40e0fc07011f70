import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isMain, root, runNode } from './run.mjs'

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {string[]} sources folders and files whose content decides whether the target is stale
 * @property {() => Promise<void>} build
 */

/** What every target depends on beside its own sources. */
const shared = ['contract/src', 'package-lock.json', 'tools/build.mjs']

/** @type {Target[]} */
const targets = [
  { name: 'server', sources: ['server/src', ...shared], build: buildServer },
  { name: 'fleet', sources: ['fleet/src', ...shared], build: buildFleet },
  { name: 'web', sources: ['web', 'NOTICE', ...shared], build: buildWeb },
]

/** Targets whose sources changed since they were built: by content, so that a checkout or a copy costs nothing. */
export const staleTargets = () => targets.filter((target) => !isFresh(target))

/**
 * Each target that can be built is, also when another one fails.
 * @param {Target[]} wanted
 */
export async function build(wanted) {
  if (wanted.length === 0) return
  const outcomes = await Promise.allSettled(wanted.map(buildOne))
  // Its service would live as long as this process, which may go on as the server; Vite has one of its own.
  if (wanted.some((target) => target.build !== buildWeb)) await (await import('esbuild')).stop()
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** @param {Target} target */
async function buildOne(target) {
  const stamp = fingerprint(target)
  rmSync(stampFile(target), { force: true })
  await target.build()
  mkdirSync(join(root, target.name, 'dist'), { recursive: true })
  writeFileSync(stampFile(target), stamp)
}

/** @param {Target[]} some */
export const namesOf = (some) => some.map(({ name }) => name).join(', ')

/** @param {Target} target */
const stampFile = (target) => join(root, target.name, 'dist', '.stamp')

/** @param {Target} target */
function isFresh(target) {
  const file = stampFile(target)
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprint(target)
}

/** @param {Target} target */
function fingerprint(target) {
  const hash = createHash('sha256')
  for (const source of target.sources) addToHash(hash, source)
  return hash.digest('hex')
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path relative to the root
 */
function addToHash(hash, path) {
  const full = join(root, path)
  if (!existsSync(full)) return
  const entries = readdirIfFolder(full)
  if (!entries) {
    hash.update(`${path}\0`).update(readFileSync(full)).update('\0')
    return
  }
  for (const name of entries) {
    if (name === 'dist' || name === 'node_modules' || name.startsWith('.') || /\.test\.tsx?$/.test(name)) continue
    addToHash(hash, `${path}/${name}`)
  }
}

/** @param {string} path */
function readdirIfFolder(path) {
  try {
    return readdirSync(path).sort()
  } catch {
    return undefined
  }
}

/**
 * Packages of hundreds of small files, which a start would open one by one: half a second of it for kysely alone, and
 * a killed server is one whose machines wait.
 */
const manyFiles = /^(kysely|zod|hucre)(\/|$)/

/** Our own sources are bundled; npm packages stay where npm put them, but for those of many files. */
const ownSources = {
  name: 'own-sources',
  /** @param {import('esbuild').PluginBuild} esbuild */
  setup(esbuild) {
    esbuild.onResolve({ filter: /^@aisle\/contract\// }, ({ path }) => {
      const inside = path.slice('@aisle/contract/'.length)
      return { path: join(root, 'contract/src', inside.endsWith('.json') ? inside : `${inside}.ts`) }
    })
    esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) =>
      kind === 'entry-point' || manyFiles.test(path) || importer.includes('node_modules')
        ? undefined
        : { path, external: true },
    )
  },
}

/**
 * @param {string} folder of the package
 * @param {Record<string, string>} entryPoints name in dist → file below the package
 */
export async function bundle(folder, entryPoints) {
  const { build: esbuild } = await import('esbuild')
  const outdir = join(root, folder, 'dist')
  rmSync(outdir, { recursive: true, force: true })
  await esbuild({
    absWorkingDir: join(root, folder),
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    logLevel: 'warning',
    plugins: [ownSources],
  })
}

async function buildServer() {
  const commands = {
    main: 'src/main/cli.ts',
    start: 'src/main/start.ts',
    backup: 'src/main/backup.cli.ts',
    restore: 'src/main/restore.cli.ts',
    files: 'src/main/files.cli.ts',
  }
  // What runs in a thread of its own is a file of its own, beside what starts it.
  const threads = readdirSync(join(root, 'server/src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.worker.ts'))
    .map((path) => [basename(path, '.ts'), join('src', path)])
  await bundle('server', { ...commands, ...Object.fromEntries(threads) })
  for (const folder of ['schema', 'migrations']) {
    const from = join(root, 'server/src/db', folder)
    if (existsSync(from)) cpSync(from, join(root, 'server/dist', folder), { recursive: true })
  }
}

async function buildFleet() {
  await bundle('fleet', { main: 'src/main.ts' })
}

/** In a process of its own, so that it uses the other core. */
async function buildWeb() {
  await runNode('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn'], { cwd: 'web' })
}

if (isMain(import.meta.url)) {
  const wanted = process.argv.includes('--force') ? targets : staleTargets()
  await build(wanted).catch((/** @type {Error} */ { message }) => {
    console.error(message)
    process.exit(1)
  })
  console.log(wanted.length > 0 ? `Built ${namesOf(wanted)}.` : 'Everything is built.')
}
