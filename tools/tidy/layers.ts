import { posix } from 'node:path'
import { importsOf, isTest, place, type Source } from './source'

/** Domains, lowest first: a domain may use those before it, never those after it. */
export const domains = [
  'identity',
  'rights',
  'merchant',
  'events',
  'catalog',
  'fleet',
  'people',
  'sight',
  'ledger',
  'payment',
  'stock',
  'medicine',
  'purchase',
  'counting',
  'member',
  'promotion',
  'pharmacy',
  'pickup',
  'lottery',
  'trade',
  'refund',
  'alarm',
  'device',
  'planogram',
  'advice',
  'maintenance',
  'field',
  'checkout',
  'partner',
  'settlement',
  'funds',
  'advert',
  'support',
  'notice',
  'report',
  'audit',
  'wallboard',
  'home',
  'system',
]

type Rule = {
  /** The importing files. */
  from: RegExp
  /** What of the repository they may import beside their own folder. */
  may: readonly RegExp[]
  /** npm packages (and `node:`) they may import; everything when left out. */
  packages?: RegExp
}

const contract = /^contract\/src\//
const contractKernel = /^contract\/src\/kernel\//
const serverGround = /^server\/src\/(kernel|db)\//
const anything = /^/

/** The import table of docs/ARCHITECTURE.md. The first rule that fits a file counts. */
export const rules: readonly Rule[] = [
  { from: /^contract\/src\/kernel\//, may: [], packages: /^(zod|@noble\/hashes)/ },
  { from: /^contract\/src\/[^/]+\//, may: [contractKernel], packages: /^(zod|@noble\/hashes)/ },
  { from: /^contract\/src\/[^/]+$/, may: [contract], packages: /^$/ },
  { from: /^server\/src\/main\//, may: [contract, /^server\/src\//] },
  { from: /^server\/src\/demo\//, may: [contract, /^server\/src\//] },
  { from: /^server\/src\/db\//, may: [contractKernel] },
  { from: /^server\/src\/kernel\//, may: [contract, /^server\/src\/db\//] },
  { from: /^server\/src\/transport\//, may: [contract, serverGround] },
  { from: /^server\/src\/features\//, may: [contract, serverGround], packages: /^(?!fastify|aedes)/ },
  { from: /^web\/.*\.d\.ts$/, may: [contract, /^web\//] },
  { from: /^web\/src\/ui\//, may: [contractKernel, /\/text\/\w+\.json$/], packages: /^(?!@tanstack|node:)/ },
  { from: /^web\/src\/live\//, may: [contract, /^web\/src\/ui\//], packages: /^(?!antd|@ant-design|node:)/ },
  { from: /^web\/src\/admin\//, may: [contract, /^web\/src\/(ui|live)\//], packages: /^(?!antd|@ant-design|node:)/ },
  {
    from: /^web\/src\/shelf\//,
    may: [contract, /^web\/src\/(ui|admin|live)\//],
    packages: /^(?!antd|@ant-design|node:)/,
  },
  {
    from: /^web\/src\/features\//,
    may: [contract, /^web\/src\/(ui|admin|live|shelf)\//],
    packages: /^(?!antd|@ant-design|node:)/,
  },
  { from: /^web\/src\//, may: [contract, /^web\/src\//], packages: /^(?!antd|@ant-design|node:)/ },
  { from: /^web\//, may: [contract, /^web\//] },
  { from: /^fleet\//, may: [contract] },
  { from: /^(bench|tools)\//, may: [contract, /^(fleet|tools)\//, /^server\/src\//] },
  { from: /^e2e\//, may: [contract, /^(fleet|tools)\//, /^server\/src\/(db|testing)\//] },
  { from: anything, may: [anything] },
]

/** Imports that the table does not allow, each as `file:line imports what`. */
export function forbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter(({ specifier }) => !isAllowed(source.path, specifier))
      .map(({ specifier, at }) => `${place(source, at)} imports ${specifier}`),
  )
}

export function isAllowed(path: string, specifier: string): boolean {
  const target = targetOf(path, specifier)
  const rule = rules.find(({ from }) => from.test(path))
  if (!rule) return false
  if (target === undefined) return isTest(path) || (rule.packages ?? anything).test(specifier)
  if (isTest(path)) return isAllowedInTest(path, target)
  const own = rule.from.exec(path)?.[0] ?? ''
  if (path.startsWith('contract/src/') && target.startsWith('contract/src/') && !rule.may.includes(contract)) {
    return contractKernel.test(target) || isLowerOrSame(path, target, /^contract\/src\/([^/]+)\//)
  }
  if (own.startsWith('server/src/features/') && target.startsWith('server/src/features/')) {
    return isAllowedFeature(path, target)
  }
  if (path.startsWith('web/src/features/') && target.startsWith('web/src/features/')) {
    return domainOf(path) === domainOf(target)
  }
  return target.startsWith(own) || rule.may.some((allowed) => allowed.test(target))
}

/** Tests may wire what they test, but the two sides never meet in one process. */
const isAllowedInTest = (path: string, target: string): boolean =>
  !(path.startsWith('web/') && target.startsWith('server/')) &&
  !(path.startsWith('server/') && target.startsWith('web/'))

function isAllowedFeature(path: string, target: string): boolean {
  if (domainOf(path) === domainOf(target)) return true
  return isLowerOrSame(path, target, /\/features\/([^/]+)\//) && /\/public(\.ts)?$/.test(target)
}

const domainOf = (path: string): string => /\/features\/([^/]+)\//.exec(path)?.[1] ?? ''

function isLowerOrSame(path: string, target: string, pattern: RegExp): boolean {
  const [own, other] = [pattern.exec(path)?.[1] ?? '', pattern.exec(target)?.[1] ?? '']
  const [height, otherHeight] = [domains.indexOf(own), domains.indexOf(other)]
  return own === other || (otherHeight >= 0 && otherHeight < height)
}

/** The file of the repository that is meant, without extension where it has none; undefined for a package. */
function targetOf(path: string, specifier: string): string | undefined {
  const inContract = /^@aisle\/contract\/(.*)$/.exec(specifier)?.[1]
  if (inContract !== undefined) return `contract/src/${inContract}`
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(path), specifier))
  return undefined
}
