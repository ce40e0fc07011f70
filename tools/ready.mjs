import { build, namesOf, staleTargets } from './build.mjs'
import { installIfNeeded } from './install.mjs'

/** Installs and builds what is missing, or ends this process with what failed. */
export async function makeReady() {
  const stale = staleTargets()
  await installIfNeeded({ dev: stale.length > 0 })
  if (stale.length === 0) return
  console.log(`Building ${namesOf(stale)} …`)
  await build(stale).catch((/** @type {Error} */ { message }) => {
    console.error(`The build failed: ${message}`)
    process.exit(1)
  })
}
