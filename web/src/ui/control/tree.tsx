import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import { Icon } from '../icons'
import { useText } from '../text'
import styles from './tree.module.css'
import {
  aboveOf,
  type Check,
  checked,
  checksOf,
  indexOf,
  linesOf,
  matching,
  type TreeLine,
  type TreeNode,
} from './tree.rules'
import { classes } from '../classes'
import { type Dragging, useDragging } from './treeDrag'
import type { TreePlace } from './treeMove.rules'

/** More lines than this are not all drawn. */
const ALL_DRAWN = 500
const LINE_PX = 34
const AROUND = 20

type TreeProps = {
  nodes: readonly TreeNode[]
  label: string
  /** `single`: one is picked. `multi`: each is ticked for itself. `tri`: leaves are ticked, parents follow. */
  mode: 'single' | 'multi' | 'tri'
  selected: ReadonlySet<number>
  onSelect: (selected: Set<number>) => void
  hasSearch?: boolean
  /** Open at first; the top level when left out. */
  open?: readonly number[]
  tools?: ReactNode
  /** Lines can be moved: dragged, or with Alt and the arrows. */
  onMove?: (id: number, place: TreePlace) => void
}

/**
 * A tree (WAI-ARIA): one line is in the tab order; arrows walk, open and close, Home and End, letters find a name,
 * Enter and the space bar pick. Only what is open is drawn, and of thousands of lines only those in the window.
 */
export function Tree(props: TreeProps) {
  const { nodes, label, mode, selected, onSelect, hasSearch = false, tools, onMove } = props
  const index = useMemo(() => indexOf(nodes), [nodes])
  const [opened, setOpened] = useState<ReadonlySet<number> | null>(null)
  const [sought, setSought] = useState('')
  const deferred = useDeferredValue(sought)
  const open = opened ?? firstOpen(props, index)
  const matches = useMemo(() => matching(index, deferred), [index, deferred])
  const lines = useMemo(() => linesOf(index, open, matches), [index, open, matches])
  const checks = useMemo(() => (mode === 'tri' ? checksOf(index, selected) : null), [index, mode, selected])
  const checkOf = (id: number): Check => checks?.get(id) ?? (selected.has(id) ? 'on' : 'off')
  const toggle = (id: number, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(id)
    else next.delete(id)
    setOpened(next)
  }
  const pick = ({ id, isDisabled }: TreeNode) => {
    if (isDisabled) return
    if (mode === 'single') return onSelect(new Set([id]))
    const isOn = checkOf(id) !== 'on'
    if (mode === 'tri') return onSelect(checked(index, selected, id, isOn))
    const next = new Set(selected)
    if (isOn) next.add(id)
    else next.delete(id)
    onSelect(next)
  }
  const dragging = useDragging(index, onMove)
  const openAll = () => setOpened(new Set(nodes.map(({ id }) => id)))
  return (
    <div className={styles.holder}>
      {(hasSearch || tools) && (
        <div className={styles.tools}>
          {hasSearch && <TreeSearch label={label} value={sought} onChange={setSought} />}
          {hasSearch && <TreeFolds openAll={openAll} closeAll={() => setOpened(new Set())} />}
          {tools}
        </div>
      )}
      <TreeLines {...{ label, mode, lines, checkOf, toggle, pick, dragging }} />
    </div>
  )
}

/** The way to what is picked, and the top level. */
function firstOpen({ open, selected, nodes }: TreeProps, index: ReturnType<typeof indexOf>): ReadonlySet<number> {
  const top = nodes.filter(({ parentId }) => parentId === null || !index.byId.has(parentId)).map(({ id }) => id)
  const [first] = selected
  return new Set([...(open ?? top), ...(first === undefined ? [] : aboveOf(index, first))])
}

function TreeSearch(props: { label: string; value: string; onChange: (text: string) => void }) {
  const { label, value, onChange } = props
  const kit = useText('admin')
  return (
    <input
      type="search"
      className={styles.search}
      aria-label={`${kit('tree.search')} ${label}`}
      placeholder={kit('tree.search')}
      value={value}
      maxLength={64}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function TreeFolds({ openAll, closeAll }: { openAll: () => void; closeAll: () => void }) {
  const kit = useText('admin')
  return (
    <>
      <button type="button" className="btn-plain" onClick={openAll}>
        {kit('tree.expand')}
      </button>
      <button type="button" className="btn-plain" onClick={closeAll}>
        {kit('tree.collapse')}
      </button>
    </>
  )
}

type LinesProps = {
  label: string
  mode: TreeProps['mode']
  lines: readonly TreeLine[]
  checkOf: (id: number) => Check
  toggle: (id: number, isOpen: boolean) => void
  pick: (node: TreeNode) => void
  dragging: Dragging | null
}

function TreeLines(props: LinesProps) {
  const { label, mode, lines, checkOf, toggle, pick, dragging } = props
  const kit = useText('admin')
  const holder = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<number | null>(null)
  const [top, setTop] = useState(0)
  if (lines.length === 0) return <p className="quiet">{kit('tree.none')}</p>
  const picked = lines.findIndex(({ node }) => checkOf(node.id) === 'on')
  const known = lines.findIndex(({ node }) => node.id === focused)
  const entry = known >= 0 ? known : Math.max(0, picked)
  const isWindowed = lines.length > ALL_DRAWN
  const from = isWindowed ? Math.max(0, Math.floor(top / LINE_PX) - AROUND) : 0
  const to = isWindowed ? from + WINDOW : lines.length

  const go = (at: number) => {
    const line = lines[at]
    if (!line) return
    setFocused(line.node.id)
    if (isWindowed && holder.current) holder.current.scrollTop = Math.max(0, (at - 5) * LINE_PX)
    requestAnimationFrame(() => holder.current?.querySelector<HTMLElement>(`[data-node="${line.node.id}"]`)?.focus())
  }
  const onKey = (event: KeyboardEvent) => {
    const line = lines[entry]
    if (line && dragging?.onKey(event, line.node.id)) return
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return
    const act = actOf(event.key, entry, lines)
    if (!act) return
    event.preventDefault()
    if (act === 'pick') pick(line.node)
    else if (act === 'open' || act === 'close') toggle(line.node.id, act === 'open')
    else go(act.to)
  }
  const shown = lines.slice(from, to)
  return (
    <div
      ref={holder}
      className={styles.tree}
      role="tree"
      aria-label={label}
      aria-multiselectable={mode !== 'single'}
      onKeyDown={onKey}
      onScroll={isWindowed ? (event) => setTop(event.currentTarget.scrollTop) : undefined}
    >
      <div role="presentation" style={{ height: from * LINE_PX }} />
      {shown.map((line, at) => (
        <Line
          key={line.node.id}
          line={line}
          mode={mode}
          check={checkOf(line.node.id)}
          isEntry={from + at === entry}
          onFocus={() => setFocused(line.node.id)}
          toggle={() => toggle(line.node.id, !line.isOpen)}
          pick={() => pick(line.node)}
          drag={dragging?.propsOf(line.node.id)}
        />
      ))}
      <div role="presentation" style={{ height: Math.max(0, lines.length - to) * LINE_PX }} />
    </div>
  )
}

const WINDOW = 80

type Act = 'pick' | 'open' | 'close' | { to: number }

function actOf(key: string, at: number, lines: readonly TreeLine[]): Act | null {
  const line = lines[at]
  if (!line) return null
  if (key === 'Enter' || key === ' ') return 'pick'
  if (key === 'ArrowDown') return { to: Math.min(at + 1, lines.length - 1) }
  if (key === 'ArrowUp') return { to: Math.max(at - 1, 0) }
  if (key === 'Home') return { to: 0 }
  if (key === 'End') return { to: lines.length - 1 }
  if (key === 'ArrowRight') return line.hasChildren && !line.isOpen ? 'open' : line.isOpen ? { to: at + 1 } : null
  if (key === 'ArrowLeft') return line.isOpen ? 'close' : { to: parentAt(at, lines) }
  return key.length === 1 ? { to: namedAt(key, at, lines) } : null
}

function parentAt(at: number, lines: readonly TreeLine[]): number {
  const level = lines[at]?.level ?? 1
  for (let up = at - 1; up >= 0; up -= 1) if ((lines[up]?.level ?? 0) < level) return up
  return at
}

/** The next line whose name begins with the letter, around the end. */
function namedAt(letter: string, at: number, lines: readonly TreeLine[]): number {
  const wanted = letter.toLowerCase()
  const order = [...lines.keys()].map((step) => (at + 1 + step) % lines.length)
  return order.find((each) => lines[each]?.node.name.toLowerCase().startsWith(wanted)) ?? at
}

const ariaChecked = { on: true, off: false, some: 'mixed' } as const

function Line(props: {
  line: TreeLine
  mode: TreeProps['mode']
  check: Check
  isEntry: boolean
  onFocus: () => void
  toggle: () => void
  pick: () => void
  drag: ReturnType<Dragging['propsOf']> | undefined
}) {
  const { line, mode, check, isEntry, onFocus, toggle, pick, drag } = props
  const { node, level, isOpen, hasChildren, of, at } = line
  const isTicked = mode !== 'single'
  return (
    <div
      role="treeitem"
      data-node={node.id}
      tabIndex={isEntry ? 0 : -1}
      aria-level={level}
      aria-setsize={of}
      aria-posinset={at}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isTicked ? undefined : check === 'on'}
      aria-checked={isTicked ? ariaChecked[check] : undefined}
      aria-disabled={node.isDisabled || undefined}
      className={styles.line}
      style={{ paddingInlineStart: 4 + (level - 1) * 18 }}
      onFocus={onFocus}
      onClick={pick}
      {...drag}
    >
      <span
        className={classes(styles.fold, !hasChildren && styles.isLeaf, isOpen && styles.isOpen)}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation()
          if (hasChildren) toggle()
        }}
      >
        <Icon name="chevron" size={14} />
      </span>
      {isTicked && <span className={styles.check} data-check={check} aria-hidden="true" />}
      <span className={styles.name}>{node.name}</span>
      {node.note && <small>{node.note}</small>}
      {node.count !== undefined && <span className={styles.count}>{node.count}</span>}
    </div>
  )
}
