import { type KeyboardEvent, useRef, useState } from 'react'
import { countText } from '../../admin/fields/number'
import { Icon } from '../../ui/icons'
import { type Node, openTo, rowsOf } from './granteeTree.rules'
import styles from './grant.module.css'
import { classes } from '../../ui/classes'

/** Whom to authorise: one is chosen; arrows walk and fold, Enter chooses. */
export function GranteeTree(props: {
  label: string
  nodes: readonly Node[]
  chosen: number | null
  onChoose: (id: number) => void
}) {
  const { label, nodes, chosen, onChoose } = props
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [focused, setFocused] = useState<number | null>(null)
  const tree = useRef<HTMLUListElement>(null)
  const isFew = nodes.length <= 40
  const path = openTo(nodes, chosen)
  const isOpen = (id: number, depth: number) => folds.get(id) ?? (isFew || depth === 0 || path.has(id))
  const rows = rowsOf(nodes, isOpen)
  const entry = rows.find(({ id }) => id === (focused ?? chosen)) ?? rows[0]
  const fold = (id: number, isNowOpen: boolean) => setFolds(new Map(folds).set(id, isNowOpen))
  const focus = (id: number | null | undefined) => {
    if (id === null || id === undefined) return
    setFocused(id)
    tree.current?.querySelector<HTMLElement>(`[data-node="${id}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ id }) => id === entry?.id)
    const row = rows[at]
    if (!row) return
    const acts: Record<string, () => void> = {
      ArrowDown: () => focus(rows[at + 1]?.id),
      ArrowUp: () => focus(rows[at - 1]?.id),
      Home: () => focus(rows[0]?.id),
      End: () => focus(rows.at(-1)?.id),
      ArrowRight: () => (row.hasChildren && !row.isOpen ? fold(row.id, true) : focus(rows[at + 1]?.id)),
      ArrowLeft: () => (row.hasChildren && row.isOpen ? fold(row.id, false) : focus(row.parentId)),
      Enter: () => onChoose(row.id),
      ' ': () => onChoose(row.id),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <ul role="tree" aria-label={label} className={styles.grantees} ref={tree} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <li
          key={row.id}
          role="treeitem"
          data-node={row.id}
          aria-level={row.depth + 1}
          aria-selected={row.id === chosen}
          aria-expanded={row.hasChildren ? row.isOpen : undefined}
          tabIndex={row.id === entry?.id ? 0 : -1}
          style={{ paddingInlineStart: row.depth * 16 + 4 }}
          onFocus={() => setFocused(row.id)}
          onClick={() => onChoose(row.id)}
        >
          <Fold row={row} onFold={() => fold(row.id, !row.isOpen)} />
          <span className={styles.granteeName}>{row.name}</span>
          {row.note && <span className={styles.granteeNote}>{row.note}</span>}
          {row.count !== undefined && <span className={styles.granteeCount}>{countText(row.count)}</span>}
        </li>
      ))}
    </ul>
  )
}

/** For the pointer; the keyboard folds with its arrows. */
function Fold({ row, onFold }: { row: { hasChildren: boolean; isOpen: boolean }; onFold: () => void }) {
  if (!row.hasChildren) return <span className={styles.granteeFold} />
  return (
    <span
      className={classes(styles.granteeFold, row.isOpen && styles.isOpen)}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation()
        onFold()
      }}
    >
      <Icon name="chevron" size={14} />
    </span>
  )
}
