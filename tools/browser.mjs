import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { exitCode, isMain, root } from './run.mjs'

/** Debian's name for a Chromium without windows, which draws the tests' pages with two thirds of the processor time. */
const HEADLESS = 'chromium-headless-shell'
const commands = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** Without these a browser in a closed network spends its start on calls that nobody answers. */
const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium refuses its sandbox to root, who needs none in a test. */
export const browserFlags = () => (process.getuid?.() === 0 ? ['--no-sandbox', ...quietFlags] : quietFlags)

/**
 * A Chromium or Chrome that is there and runs: AISLE_BROWSER, or one on the PATH.
 * @returns {string | undefined}
 */
export function findBrowser() {
  const wish = process.env.AISLE_BROWSER
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = wish
    ? [wish]
    : [...commands.flatMap((name) => folders.map((at) => join(at, name))), ...applications]
  return candidates.find((path) => isExecutable(path) && answersVersion(path))
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Ubuntu's chromium-browser is a stub that only says where to get the real one. @param {string} path */
const answersVersion = (path) => spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0

/**
 * Finds a browser for the tests, or gets one; says which, or why there is none.
 * @returns {Promise<string | undefined>} its executable
 */
export async function provideBrowser() {
  const found = findBrowser()
  if (found) return report(found, 'found on this machine')
  if (process.env.AISLE_BROWSER) {
    console.log(`AISLE_BROWSER=${process.env.AISLE_BROWSER} is not a browser that runs.`)
    return undefined
  }
  const downloaded = await playwrightBrowser()
  if (downloaded) return report(downloaded, "Playwright's own, downloaded before")
  return (await fromDebian()) ?? (await fromPlaywright()) ?? noBrowser()
}

/**
 * @param {string} path
 * @param {string} origin
 */
function report(path, origin) {
  console.log(`Browser: ${path} (${origin}).`)
  return path
}

async function fromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('Browser: none found; installing Debian’s chromium …')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await exitCode('apt-get', ['update', '-qq'], { env, output: 'onFailure' })
  /** @param {string} name */
  const install = (name) =>
    exitCode('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, output: 'onFailure' })
  // Older releases and Ubuntu have no package of the first name.
  if ((await install(HEADLESS)) !== 0) await install('chromium')
  const found = findBrowser()
  return found && report(found, 'installed by apt-get just now')
}

async function fromPlaywright() {
  console.log('Browser: none found; asking Playwright for its own …')
  await exitCode(process.execPath, [`${root}/node_modules/@playwright/test/cli.js`, 'install', 'chromium'], {
    output: 'onFailure',
  })
  const downloaded = await playwrightBrowser()
  return downloaded && report(downloaded, "Playwright's own, downloaded just now")
}

async function playwrightBrowser() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) && answersVersion(path) ? path : undefined
}

function noBrowser() {
  console.log('Browser: none, and none could be installed. Install Chromium or Chrome, or set AISLE_BROWSER to one.')
  return undefined
}

if (isMain(import.meta.url)) process.exit((await provideBrowser()) ? 0 : 1)
