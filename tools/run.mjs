import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder, wherever the command was given. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** @param {string} moduleUrl `import.meta.url` of the asking file */
export const isMain = (moduleUrl) => realpathSync(process.argv[1] ?? '') === fileURLToPath(moduleUrl)

/**
 * Runs a command in the repository's folder.
 * @param {string} command
 * @param {string[]} options
 * @param {object} [more]
 * @param {string} [more.cwd] relative to the repository
 * @param {Record<string, string>} [more.env]
 * @param {'inherit' | 'onFailure'} [more.output] passed through as it comes, or shown only when the command fails
 * @returns {Promise<number>} its exit code; 127 when it could not be started
 */
export function exitCode(command, options, { cwd = '.', env, output = 'inherit' } = {}) {
  const channel = output === 'inherit' ? 'inherit' : 'pipe'
  const child = spawn(command, options, {
    cwd: join(root, cwd),
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...env },
    stdio: ['ignore', channel, channel],
  })
  /** @type {Buffer[]} */
  const said = []
  child.stdout?.on('data', (part) => said.push(part))
  child.stderr?.on('data', (part) => said.push(part))
  return new Promise((done) => {
    child.once('error', () => done(127))
    child.once('close', (code, signal) => {
      if (code !== 0) process.stdout.write(Buffer.concat(said))
      done(signal ? 1 : (code ?? 1))
    })
  })
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
