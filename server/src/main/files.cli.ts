import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { moveFiles } from '../kernel/files/move'
import { readConfig, StartError } from './config'
import { openFiles } from './files'
import { sayWhy } from './sayWhy'

const usage = 'npm run files -- move URL|FOLDER [--remove]'

/** `npm run files`: pictures, exports and adverts from where they are kept now to where they shall be. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { remove: { type: 'boolean' } } })
  const [verb, target] = positionals
  if (verb !== 'move' || !target || positionals.length > 2) throw new StartError(usage)
  const now = readConfig(process.env)
  const then = /^https?:/.test(target)
    ? readConfig({ ...process.env, FILES_URL: target })
    : { dataDir: resolve(target), store: undefined }
  if (now.store?.url === then.store?.url && (now.store || now.dataDir === then.dataDir)) {
    throw new StartError('Files are kept there already.')
  }
  const moved = await moveFiles(await openFiles(now), await openFiles(then), { isRemoved: values.remove === true })
  console.log(`${moved.copied} copied, ${moved.there} were there; the sums of all of them are equal.`)
  console.log(
    values.remove ? 'They are gone from where they were.' : 'They also stay where they were; --remove ends that.',
  )
}

process.umask(0o077)
await main().catch(sayWhy)
