import { fileURLToPath } from 'node:url'
import {
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  type Node,
  type SourceFile,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { API, type Project, type Type, TypeFlags } from 'typescript/unstable/sync'
import { literalOf } from './notes'

/** What a property may hold; `any` where the type does not say (json, unknown, unions of kinds). */
export type Kind = string
export type Property = { kind: Kind; isNullable: boolean; isOptional: boolean }
export type Declared = {
  place: string
  literal: string
  /** Sent where it is written, with a row type or without. */
  isExecuted: boolean
  /** The statement itself, where it consists of its text and values alone. */
  whole: string | null
  /** A row type that is the caller's to say: what is written beside it is checked, other columns may come. */
  isOpen: boolean
  properties: Map<string, Property>
}

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Every `sql<Row>` and statement of the server's own code with what its row type says, as the compiler sees it. */
export function declaredRows(): Declared[] {
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects()
    if (!project) throw new Error('tsconfig.json says no project')
    const files = project.program.getSourceFileNames().filter((name) => isProduct(name.slice(root.length)))
    return files.flatMap((name) => {
      const file = project.program.getSourceFile(name)
      return file ? rowsOf(project, file, name.slice(root.length)) : []
    })
  } finally {
    api.close()
  }
}

const isProduct = (path: string): boolean =>
  /^server\/src\/(db|demo|features|kernel|transport|main)\//.test(path) &&
  !/\.test\.ts$|(^|\/)testing[^/]*(\/|$)/.test(path)

function rowsOf(project: Project, file: SourceFile, path: string): Declared[] {
  const found: Declared[] = []
  const visit = (node: Node, above?: Node): void => {
    if (isTaggedTemplateExpression(node) && isSql(node)) {
      const type = rowTypeOf(project, node)
      const line = file.text.slice(0, node.tag.end).split('\n').length
      const isExecuted = above !== undefined && isPropertyAccessExpression(above) && above.name.text === 'execute'
      const whole = isExecuted ? wholeText(project, node) : null
      const shape = type ? shapeOf(project, type) : { isOpen: true, properties: new Map() }
      if (isExecuted || node.typeArguments || shape.properties.size > 0)
        found.push({ place: `${path}:${line}`, literal: literalIn(node), isExecuted, whole, ...shape })
    }
    node.forEachChild((child) => visit(child, node))
  }
  visit(file)
  return found
}

const isSql = (node: TaggedTemplateExpression) => isIdentifier(node.tag) && node.tag.text === 'sql'

/** Written in its brackets, or taken from what the place where it stands expects. */
function rowTypeOf({ checker }: Project, node: TaggedTemplateExpression): Type | undefined {
  const [written] = node.typeArguments ?? []
  if (written) return checker.getTypeFromTypeNode(written)
  const type = checker.getTypeAtLocation(node)
  return type?.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined
}

function literalIn({ template }: TaggedTemplateExpression): string {
  if (isNoSubstitutionTemplateLiteral(template)) return literalOf([template.text])
  return literalOf([template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)])
}

function wholeText({ checker }: Project, { template }: TaggedTemplateExpression): string | null {
  if (isNoSubstitutionTemplateLiteral(template)) return template.text
  let text = template.head.text
  for (const [at, { expression, literal }] of template.templateSpans.entries()) {
    const type = checker.getTypeAtLocation(expression)
    const parts = type?.isUnionType() ? type.getTypes() : [type]
    const isValue = (part: Type | undefined) =>
      part !== undefined &&
      (part.flags & (TypeFlags.Instantiable | TypeFlags.AnyOrUnknown)) === 0 &&
      !checker.getPropertyOfType(part, 'isRawBuilder')
    if (!parts.every(isValue)) return null
    text += `$${at + 1}${literal.text}`
  }
  return text
}

function shapeOf({ checker }: Project, type: Type): Pick<Declared, 'isOpen' | 'properties'> {
  const parts = type.isIntersectionType() ? type.getTypes() : [type]
  const isOpen = parts.some(
    (part) =>
      (part.flags & (TypeFlags.Instantiable | TypeFlags.AnyOrUnknown)) !== 0 ||
      checker.getIndexInfosOfType(part).length > 0,
  )
  const properties = new Map<string, Property>()
  // A value, such as an instant or a list of days, is no row.
  if (kindOf(checker, type) === 'any' && !checker.isArrayType(type) && !type.isUnionType()) {
    for (const symbol of checker.getPropertiesOfType(type)) {
      const held = checker.getTypeOfSymbol(symbol)
      if (held) properties.set(symbol.name, propertyOf(checker, held))
    }
  }
  return { isOpen, properties }
}

function propertyOf(checker: Project['checker'], type: Type): Property {
  const all = type.isUnionType() ? type.getTypes() : [type]
  const has = (flag: TypeFlags) => all.some(({ flags }) => (flags & flag) !== 0)
  const kinds = new Set(
    all
      .filter(({ flags }) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) === 0)
      .map((part) => kindOf(checker, part)),
  )
  const [kind = 'any'] = kinds
  const isAny = kinds.size !== 1 || kind === 'any'
  return {
    kind: isAny ? 'any' : kind,
    isNullable: has(TypeFlags.Null | TypeFlags.AnyOrUnknown | TypeFlags.Instantiable),
    isOptional: has(TypeFlags.Undefined),
  }
}

function kindOf(checker: Project['checker'], type: Type): Kind {
  if (type.flags & TypeFlags.StringLike) return 'string'
  if (type.flags & TypeFlags.NumberLike) return 'number'
  if (type.flags & TypeFlags.BooleanLike) return 'boolean'
  if (type.isIntersectionType()) return type.getTypes().map((part) => kindOf(checker, part))[0] ?? 'any'
  const name = type.getSymbol()?.name
  if (name === 'Date' || name === 'Buffer') return name
  if (!checker.isArrayType(type) || !type.isTypeReference()) return 'any'
  const [element] = checker.getTypeArguments(type)
  const kind = element ? propertyOf(checker, element).kind : 'any'
  return kind === 'any' ? 'any' : `${kind}[]`
}
