import './need-node.mjs'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { provideBrowser } from './browser.mjs'
import { build, namesOf, staleTargets } from './build.mjs'
import { runStaticChecks } from './check.mjs'
import { installIfNeeded } from './install.mjs'
import { exitCode, root, STALLED } from './run.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

const results = join(root, 'test-results')
/** Longer than the slowest file takes: a worker was seen once that never finished loading and held everything up. */
const SILENCE_MS = 5 * 60_000
/** @type {Count[]} */
const counts = []
/** What went wrong and is no test of its own; each counts as one failure. @type {string[]} */
const faults = []

await installIfNeeded({ dev: true })
rmSync(results, { recursive: true, force: true })
mkdirSync(results)

title('Types, lint, format, dead code')
faults.push(...(await runStaticChecks()))
title('Build')
const isBuilt = await buildAll()
title('Unit and database tests')
await runVitest()
title('Browser tests')
await runPlaywright()
process.exitCode = conclude()

/** @param {string} text */
function title(text) {
  console.log(`\n== ${text} ==`)
}

async function buildAll() {
  const stale = staleTargets()
  try {
    await build(stale)
    console.log(stale.length > 0 ? `Built ${namesOf(stale)}.` : 'Everything is built.')
    return true
  } catch (cause) {
    console.log(String(cause))
    faults.push('build')
    return false
  }
}

async function runVitest() {
  const file = join(results, 'vitest.json')
  const flaky = `--reporter=${join(root, 'tools/flaky-reporter.mjs')}`
  const reporters = ['--reporter=dot', flaky, '--reporter=json', `--outputFile.json=${file}`]
  const command = [`${root}/node_modules/vitest/vitest.mjs`, 'run', ...reporters]
  let code = await exitCode(process.execPath, command, { silenceMs: SILENCE_MS })
  if (code === STALLED) {
    console.log(`\nFLAKY: nothing was heard of the tests for ${SILENCE_MS / 60_000} minutes; they run once more.`)
    code = await exitCode(process.execPath, command, { silenceMs: SILENCE_MS })
  }
  const report = readJson(file)
  if (!report) return void faults.push('vitest did not finish')
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report
  const broken = report.testResults.filter(isBrokenFile).length
  counts.push({ passed: numPassedTests, failed: numFailedTests + broken, skipped: numPendingTests + numTodoTests })
  if (code !== 0 && numFailedTests + broken === 0) faults.push('vitest: an error outside the tests')
}

/**
 * A file that failed before any of its tests could: it counts as one.
 * @param {{ status: string, assertionResults: { status: string }[] }} file
 */
function isBrokenFile({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((result) => result.status === 'failed')
}

async function runPlaywright() {
  if (!isBuilt) return void faults.push('browser tests could not run: nothing is built')
  const browser = await provideBrowser()
  if (!browser) return void faults.push('browser tests could not run: no browser')
  const file = join(results, 'playwright.json')
  const code = await exitCode(
    process.execPath,
    [`${root}/node_modules/@playwright/test/cli.js`, 'test', '--reporter=line,json'],
    { cwd: 'e2e', env: { AISLE_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: file } },
  )
  const report = readJson(file)
  if (!report) return void faults.push('playwright did not finish')
  report.suites.forEach(sayFailed)
  const { expected, unexpected, flaky, skipped } = report.stats
  counts.push({ passed: expected + flaky, failed: unexpected, skipped })
  if (flaky > 0) console.log(`FLAKY: ${flaky} passed only when tried again; the report above names them.`)
  if (code !== 0 && unexpected === 0) faults.push('playwright: its setup failed')
}

/**
 * Why a test failed, in a few lines at the end of it all: the reports above are long, and cut where output is.
 * @param {{ suites?: any[], specs: any[] }} suite as Playwright's JSON reporter writes it
 */
function sayFailed({ suites = [], specs }) {
  suites.forEach(sayFailed)
  for (const { ok, title: name, file, tests } of specs) {
    if (ok) continue
    const why = tests[0].results.at(-1)?.errors[0]?.message ?? 'it did not end'
    console.log(`FAILED: ${file} › ${name}\n${stripVTControlCharacters(why).slice(0, 1500)}\n`)
  }
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function conclude() {
  /** @param {keyof Count} kind */
  const sum = (kind) => counts.reduce((total, count) => total + count[kind], 0)
  const failed = sum('failed') + faults.length
  const skipped = sum('skipped')
  console.log('')
  for (const fault of faults) console.log(`FAILED: ${fault}`)
  console.log(`${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed > 0 ? 1 : 0
}
