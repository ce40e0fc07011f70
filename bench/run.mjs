import '../tools/need-node.mjs'
import { build, bundle, staleTargets } from '../tools/build.mjs'

/** The figures are measured on what is shipped, and so is the bench itself: bundled, not translated while it runs. */
await build(staleTargets())
await bundle('bench', {
  main: 'src/main.ts',
  'p1c.child': 'src/p1c.child.ts',
  'p4a.child': 'src/p4a.child.ts',
  'p5a.child': 'src/p5a.child.ts',
})
await (await import('esbuild')).stop()
process.setSourceMapsEnabled(true)
await import(new URL('./dist/main.js', import.meta.url).href)
