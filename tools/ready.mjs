import { build, namesOf, staleTargets } from './build.mjs'
import { installIfNeeded } from './install.mjs'

/**
 * Installs and builds what is missing, or ends this process with what failed.
 * @param {{ apart?: string[] }} [more] names of targets that are built meanwhile
 * @returns {Promise<{ apart: Promise<void> }>} which rejects in words
 */
export async function makeReady({ apart = [] } = {}) {
  const stale = staleTargets()
  await installIfNeeded({ dev: stale.length > 0 })
  if (stale.length > 0) console.log(`Building ${namesOf(stale)} …`)
  const isApart = (/** @type {{ name: string }} */ { name }) => apart.includes(name)
  const later = built(stale.filter(isApart))
  // Whoever waits for it hears of it; meanwhile nobody may.
  later.catch(() => undefined)
  await built(stale.filter((target) => !isApart(target))).catch((/** @type {Error} */ { message }) => {
    console.error(message)
    process.exit(1)
  })
  return { apart: later }
}

/** @param {import('./build.mjs').Target[]} targets */
const built = (targets) =>
  build(targets).catch((/** @type {Error} */ { message }) => {
    throw new Error(`The build failed: ${message}`)
  })
