import './need-node.mjs'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build, staleTargets } from './build.mjs'
import { exitCode, isMain, root } from './run.mjs'

/**
 * `npm run pack`: an archive that runs with Node alone, on machines of this kind: what was built, and of npm's packages
 * those that the server and the simulated machines load. Nothing is built or fetched where it is unpacked.
 */

/** @typedef {{ dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Manifest */

/** @param {string} folder @returns {Manifest & { version: string, license: string, engines: object }} */
const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

/**
 * Folders of npm packages that a package of ours loads, found as Node finds them.
 * @param {string} folder relative to the root
 * @param {Set<string>} [found]
 */
export function packagesOf(folder, found = new Set()) {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    // Our own are in the bundle, and types are for the checker.
    if (name.startsWith('@aisle/') || name.startsWith('@types/')) continue
    const place = placeOf(name, folder)
    if (!place && Object.hasOwn(dependencies, name) && !Object.hasOwn(optionalDependencies, name)) {
      throw new Error(`${name}, which ${folder} needs, is not installed: run npm ci.`)
    }
    // Those that are optional are there for one kind of machine each.
    if (!place || found.has(place)) continue
    found.add(place)
    packagesOf(place, found)
  }
  return found
}

/** @param {string} name @param {string} from @returns {string | undefined} */
function placeOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(root, place, 'package.json'))) return place
    if (folder === '.') return undefined
  }
}

/**
 * Without the packages that lie in it. Its links stay as they are: one that names the folder where it was packed leads
 * nowhere on another machine.
 * @param {string} from
 * @param {string} to
 */
export function copyPackage(from, to) {
  const isNested = (/** @type {string} */ path) => path.slice(from.length).includes('node_modules')
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !isNested(path) })
}

/** @param {string} target an empty folder */
function fill(target) {
  for (const place of [...packagesOf('server'), ...packagesOf('fleet')]) {
    copyPackage(join(root, place), join(target, place))
  }
  for (const part of ['server', 'fleet', 'web']) {
    const isMap = (/** @type {string} */ path) => path.endsWith('.map') || basename(path) === '.stamp'
    cpSync(join(root, part, 'dist'), join(target, part, 'dist'), { recursive: true, filter: (path) => !isMap(path) })
    cpSync(join(root, part, 'package.json'), join(target, part, 'package.json'))
  }
  for (const name of ['LICENSE', 'NOTICE', 'README.md', 'deploy', 'docs']) {
    cpSync(join(root, name), join(target, name), { recursive: true })
  }
  const { version, license, engines } = manifestOf('.')
  const scripts = Object.fromEntries(
    Object.entries({ serve: 'main', backup: 'backup', restore: 'restore', files: 'files' }).map(([name, file]) => [
      name,
      `node server/dist/${file}.js`,
    ]),
  )
  const manifest = { name: 'aisle', private: true, version, license, type: 'module', engines, scripts }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function main() {
  await build(staleTargets())
  const name = `aisle-${manifestOf('.').version}-${process.platform}-${process.arch}`
  const folder = join(root, 'dist', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  fill(folder)
  // A container takes the folder; only who carries it elsewhere wants it in one file.
  if (process.argv.includes('--folder')) return console.log(folder)
  const code = await exitCode('tar', ['-czf', `${name}.tar.gz`, name], { cwd: 'dist' })
  if (code !== 0) throw new Error(`tar ended with ${code}`)
  rmSync(folder, { recursive: true })
  console.log(`dist/${name}.tar.gz: unpack it anywhere, set the environment, run: node server/dist/main.js`)
}

if (isMain(import.meta.url)) {
  await main().catch((/** @type {Error} */ { message }) => {
    console.error(message)
    process.exit(1)
  })
}
