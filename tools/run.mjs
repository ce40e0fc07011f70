import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder, wherever the command was given. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** @param {string} moduleUrl `import.meta.url` of the asking file */
export const isMain = (moduleUrl) => realpathSync(process.argv[1] ?? '') === fileURLToPath(moduleUrl)

/** The answer for a command that was ended because nothing was heard of it any more. */
export const STALLED = 124

/**
 * Runs a command in the repository's folder.
 * @param {string} command
 * @param {string[]} options
 * @param {object} [more]
 * @param {string} [more.cwd] relative to the repository
 * @param {Record<string, string>} [more.env]
 * @param {'inherit' | 'onFailure'} [more.output] passed through as it comes, or shown only when the command fails
 * @param {number} [more.silenceMs] it is ended, and all that it started, when it says nothing for so long
 * @returns {Promise<number>} its exit code; 127 when it could not be started, STALLED when it was ended for its silence
 */
export function exitCode(command, options, { cwd = '.', env, output = 'inherit', silenceMs } = {}) {
  const channel = output === 'inherit' && !silenceMs ? 'inherit' : 'pipe'
  const child = spawn(command, options, {
    cwd: join(root, cwd),
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...env },
    stdio: ['ignore', channel, channel],
    detached: Boolean(silenceMs),
  })
  const heard = silenceMs ? endWhenSilent(child, silenceMs) : undefined
  /** @type {Buffer[]} */
  const said = []
  /** @param {Buffer} part */
  const hear = (part) => {
    heard?.refresh()
    if (output === 'inherit') process.stdout.write(part)
    else said.push(part)
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  return new Promise((done) => {
    child.once('error', () => done(127))
    child.once('close', (code, signal) => {
      clearTimeout(heard)
      if (code !== 0) process.stdout.write(Buffer.concat(said))
      if (signal === 'SIGKILL' && silenceMs) done(STALLED)
      else done(signal ? 1 : (code ?? 1))
    })
  })
}

/**
 * @param {import('node:child_process').ChildProcess} child of a process group of its own
 * @param {number} silenceMs
 * @returns {NodeJS.Timeout} to be refreshed when something is heard
 */
function endWhenSilent(child, silenceMs) {
  const end = () => child.pid && process.kill(-child.pid, 'SIGKILL')
  // A key that interrupts reaches only the group in front, which this is not.
  const interrupt = () => {
    end()
    process.exit(130)
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  child.once('close', () => process.off('SIGINT', interrupt).off('SIGTERM', interrupt))
  return setTimeout(end, silenceMs)
}

/**
 * Runs a script of an installed package with this very Node; shows what it says and throws when it fails.
 * @param {string} script relative to the repository
 * @param {string[]} options
 * @param {{ cwd?: string }} [more]
 */
export async function runNode(script, options, { cwd } = {}) {
  const code = await exitCode(process.execPath, [join(root, script), ...options], { cwd, output: 'onFailure' })
  if (code !== 0) throw new Error(`${script} ${options.join(' ')} failed (${code})`)
}
