import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@aisle/contract/endpoints'
import { isOpenToKeys } from '@aisle/contract/events/peopleOnly'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { z } from 'zod'
import { type Schema, typeOf } from './client/types'

/**
 * `npm run client -- FOLDER`: the package with which programs of others call what their keys may call, printed from the
 * contract; `npm pack` there makes the file that they install.
 */
const own = fileURLToPath(new URL('.', import.meta.url))
const folder = resolve(process.argv[2] ?? join(own, 'dist/client'))
const open = endpoints.filter((each) => each.access !== 'public' && isOpenToKeys(each))
const { version } = JSON.parse(readFileSync(join(own, '../package.json'), 'utf8')) as { version: string }

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  typeOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema)

const scopeOf = ({ access }: Endpoint) => (access === 'session' ? 'any key' : `scope \`${access}\``)

const typed = ({ name, summary, input, output, ...each }: Endpoint): string =>
  `  /** ${summary}. Needs ${scopeOf({ name, summary, input, output, ...each })}. */
  ${JSON.stringify(name)}: { input: ${schemaOf(input, 'input')}; output: ${schemaOf(output, 'output')} }`

const listed = ({ name, method, path, writes }: Endpoint): string =>
  `  ${JSON.stringify(name)}: ${JSON.stringify([method, path, writes])},`

const manifest = {
  name: 'aisle-client',
  version,
  description: 'Calls the back office of Aisle with an API key; generated from its contract',
  license: 'Apache-2.0',
  type: 'module',
  main: './index.js',
  types: './index.d.ts',
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  files: ['index.js', 'index.d.ts', 'runtime.js', 'runtime.d.ts', 'README.md'],
  engines: { node: '>=20' },
}

const readme = `# aisle-client

${open.length} calls of Aisle, typed; it needs \`fetch\` and nothing else.

\`\`\`js
import { createClient } from 'aisle-client'

const aisle = createClient({ url: 'https://aisle.example', key: process.env.AISLE_KEY })
for await (const machine of aisle.rows('fleet.listMachines')) console.log(machine.code, machine.connection)
await aisle.call('fleet.addMachineGroup', { merchantId: 7, name: 'Hospitals' })
\`\`\`

Each call says beside its name what it does and which scope it needs. A refusal is thrown as \`AisleError\` with its
\`code\`.
`

const printed = `import { clientOf } from './runtime.js'
export { AisleError } from './runtime.js'

const calls = {
${open.map(listed).join('\n')}
}

export const createClient = (options) => clientOf(calls, options)
`
const types = `import type { Client, ClientOptions } from './runtime.js'
export { AisleError, type ClientOptions, type FieldProblem } from './runtime.js'

export type Calls = {
${open.map(typed).join('\n')}
}

export type AisleClient = Client<Calls>
export const createClient: (options: ClientOptions) => AisleClient
`

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const compiled = ['--outDir', folder, '--declaration', '--target', 'es2022', '--module', 'nodenext', '--strict']
const options = [...compiled, '--ignoreConfig', '--lib', 'es2022,dom,dom.iterable', '--types', '']
const compiler = join(own, '../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, join(own, 'client/runtime.ts'), ...options], { stdio: 'inherit' })
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
write('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
write('README.md', readme)
write('index.js', printed)
write('index.d.ts', types)
console.log(`${open.length} calls in ${folder}`)
