import './need-node.mjs'
import { exitCode, isMain, root } from './run.mjs'

/** @typedef {{ name: string, script: string, options: string[] }} Step */

/** @type {Step[]} */
const staticSteps = [
  { name: 'types', script: 'node_modules/typescript/bin/tsc', options: ['--noEmit', '--singleThreaded'] },
  { name: 'lint', script: 'node_modules/oxlint/bin/oxlint', options: ['--type-aware'] },
  { name: 'format', script: 'node_modules/@biomejs/biome/bin/biome', options: ['format', '.'] },
  { name: 'dead code', script: 'node_modules/knip/bin/knip.js', options: ['--no-progress'] },
]

/** @type {Step} */
const pureTests = {
  name: 'tidy and unit',
  script: 'node_modules/vitest/vitest.mjs',
  options: ['run', '--project=pure'],
}

/**
 * Runs what looks at the files without running the product; prints a line each.
 * @returns {Promise<string[]>} the names of those that failed
 */
export const runStaticChecks = () => runSteps(staticSteps)

/** @param {Step[]} steps */
async function runSteps(steps) {
  const failed = []
  for (const { name, script, options } of steps) {
    const startedMs = performance.now()
    const code = await exitCode(process.execPath, [`${root}/${script}`, ...options], { output: 'onFailure' })
    console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${name} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`)
    if (code !== 0) failed.push(name)
  }
  return failed
}

if (isMain(import.meta.url)) {
  const failed = await runSteps([...staticSteps, pureTests])
  console.log(failed.length === 0 ? 'Everything is in order.' : `Not in order: ${failed.join(', ')}.`)
  process.exit(failed.length === 0 ? 0 : 1)
}
