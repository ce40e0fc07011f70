import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCode, root } from './run.mjs'

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional] wanted by a development and by an optional package
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 */

/**
 * Runs `npm ci` when a package of the lock file is not installed in its version.
 * @param {{ dev: boolean }} wanted whether what only building and testing need is wanted too
 */
export async function installIfNeeded({ dev }) {
  const missing = missingPackages({ dev })
  if (missing.length === 0) return
  console.log(`Installing npm packages (${missing.length} missing) …`)
  const code = await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--prefer-offline'])
  if (code === 0) return
  console.error(
    'npm ci failed, see above. Without a network, copy node_modules from a machine of the same kind that has it, ' +
      'or point npm at a registry you can reach (npm config set registry …).',
  )
  process.exit(1)
}

/** npm itself, also where only the npm that runs this script is known. */
const npm = (/** @type {string[]} */ options) => {
  const running = process.env.npm_execpath ?? ''
  return running.endsWith('npm-cli.js') ? exitCode(process.execPath, [running, ...options]) : exitCode('npm', options)
}

/** @param {{ dev: boolean }} wanted */
function missingPackages({ dev }) {
  const locked = Object.entries(packagesOf('package-lock.json'))
  const installed = packagesOf('node_modules/.package-lock.json')
  const needed = locked.filter(([path, entry]) => path.includes('node_modules/') && isNeeded(entry, dev))
  return needed.filter(([path, entry]) => !isSame(entry, installed[path])).map(([path]) => path)
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
function packagesOf(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/**
 * Optional packages are those of one platform each; this machine's are needed, the others are not.
 * @param {LockedPackage} entry
 * @param {boolean} dev
 */
function isNeeded(entry, dev) {
  if (!dev && (entry.dev || entry.devOptional)) return false
  if (!entry.optional && !entry.devOptional) return true
  const { os, cpu, libc } = entry
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc)
}

/**
 * @param {LockedPackage} locked
 * @param {LockedPackage | undefined} installed
 */
const isSame = (locked, installed) => installed !== undefined && installed.version === locked.version
