import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Below it a packet is sent all the same. */
const SMALLEST_BYTES = 1_400

/** The server hands out `.br` and `.gz` beside a file: squeezed once here, not with every request. */
export function precompressPlugin(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: async ({ dir = '' }, bundle) => {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg|wasm)$/.test(name))
      await Promise.all(names.map((name) => compress(join(dir, name))))
    },
  }
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < SMALLEST_BYTES) return
  await Promise.all([
    writeFile(`${file}.br`, await promisify(brotliCompress)(bytes)),
    writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 })),
  ])
}
