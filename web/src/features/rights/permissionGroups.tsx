import { useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../ui/icons'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import type { Tree } from './jszyqx.permissions'
import { tickOf, toggled } from './permissionSet.rules'
import { actionOf } from './roleGrants'
import styles from './rights.module.css'
import { classes } from '../../ui/classes'

type Group = Tree['groups'][number]
type Resource = Group['resources'][number]
type Action = Resource['actions'][number]

type Props = {
  tree: Tree
  search: string
  ticked: ReadonlySet<string>
  /** As it is saved: what differs from it is marked. */
  before: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
  isLocked: boolean
}

/** Groups stay folded when they hold nothing of the role; a search opens what it found. */
export function PermissionGroups(props: Props) {
  const t = useText('rights')
  const wanted = props.search.trim().toLowerCase()
  const groups = props.tree.groups
    .map((group) => ({ ...group, resources: group.resources.filter((each) => isWanted(each, group, wanted)) }))
    .filter(({ resources }) => resources.length > 0)
  if (groups.length === 0) return <p className={classes(styles.none, 'quiet')}>{t('permissions.nothingFound')}</p>
  return (
    <ul className={styles.groups}>
      {groups.map((group) => (
        <li key={group.key}>
          <GroupOf group={group} isFound={wanted !== ''} {...props} />
        </li>
      ))}
    </ul>
  )
}

const isWanted = ({ title, path, actions }: Resource, group: Group, wanted: string): boolean =>
  `${title} ${path} ${group.title} ${actions.map(({ code }) => code).join(' ')}`.toLowerCase().includes(wanted)

const codesOf = (resources: readonly Resource[]): string[] => [
  ...new Set(resources.flatMap(({ actions }) => actions.map(({ code }) => code))),
]

function GroupOf({ group, isFound, ...props }: Props & { group: Group; isFound: boolean }) {
  const { ticked, onTick, isLocked, tree, before } = props
  const t = useText('rights')
  const id = useId()
  const codes = codesOf(group.resources)
  const yours = new Set(codes.filter((code) => isYours(tree, code)))
  const [isUnfolded, setUnfolded] = useState(codes.some((code) => before.has(code)))
  const isOpen = isFound || isUnfolded
  return (
    <>
      <div className={styles.group}>
        <button
          type="button"
          className="icon-btn"
          aria-label={t(isOpen ? 'permissions.fold' : 'permissions.unfold', { title: group.title })}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <Icon name="chevron" size={14} />
        </button>
        <Box
          label={group.title}
          codes={codes}
          ticked={ticked}
          isLocked={isLocked || yours.size === 0}
          onToggle={() => onTick(toggled(ticked, codes, (code) => yours.has(code)))}
        />
        <span className={styles.count}>{`${codes.filter((code) => ticked.has(code)).length} / ${codes.length}`}</span>
      </div>
      <ul className={styles.pages} id={id} hidden={!isOpen}>
        {isOpen &&
          group.resources.map((resource) => (
            <li key={resource.key}>
              <ResourceOf resource={resource} {...props} />
            </li>
          ))}
      </ul>
    </>
  )
}

const isYours = (tree: Tree, code: string): boolean =>
  tree.groups.some(({ resources }) =>
    resources.some(({ actions }) => actions.some((each) => each.code === code && each.isYours)),
  )

function ResourceOf({ resource, ticked, before, onTick, isLocked, tree }: Props & { resource: Resource }) {
  const codes = resource.actions.map(({ code }) => code)
  const yours = new Set(resource.actions.filter((each) => each.isYours).map(({ code }) => code))
  return (
    <div data-part="permission-page" className={styles.page}>
      <Box
        label={resource.title}
        codes={codes}
        ticked={ticked}
        isLocked={isLocked || yours.size === 0}
        onToggle={() => onTick(toggled(ticked, codes, (code) => yours.has(code)))}
      />
      <span className={styles.actionsOf}>
        {resource.actions.map((action) => (
          <ActionOf
            key={action.code}
            action={action}
            pages={pagesWith(tree, action.code)}
            isTicked={ticked.has(action.code)}
            isChanged={ticked.has(action.code) !== before.has(action.code)}
            isLocked={isLocked}
            onToggle={() => onTick(toggled(ticked, [action.code], () => true))}
          />
        ))}
      </span>
    </div>
  )
}

const pagesWith = (tree: Tree, code: string): number =>
  tree.groups.flatMap(({ resources }) => resources.filter(({ actions }) => actions.some((each) => each.code === code)))
    .length

function ActionOf(props: {
  action: Action
  pages: number
  isTicked: boolean
  isChanged: boolean
  isLocked: boolean
  onToggle: () => void
}) {
  const { action, pages, isTicked, isChanged, isLocked, onToggle } = props
  const t = useText('rights')
  const notes = [
    action.isYours ? '' : t('permissions.notYours'),
    pages > 1 ? t('permissions.opensMore', { count: pages }) : '',
    action.code,
  ]
  return (
    <label
      className={isChanged ? classes(styles.action, styles.isChanged) : styles.action}
      data-hint={notes.filter(Boolean).join(' · ')}
    >
      <input type="checkbox" checked={isTicked} disabled={isLocked || !action.isYours} onChange={onToggle} />
      {t.any(`action.${actionOf(action.code)}`)}
      {action.isOff && <Tag tone="bad" word={t('resourceState.off')} hint={t('resourceState.off.help')} />}
    </label>
  )
}

/** Ticked, not ticked, or in parts. */
function Box(props: {
  label: string
  codes: readonly string[]
  ticked: ReadonlySet<string>
  isLocked: boolean
  onToggle: () => void
}) {
  const { label, codes, ticked, isLocked, onToggle } = props
  const box = useRef<HTMLInputElement>(null)
  const tick = tickOf(codes, ticked)
  useEffect(() => {
    if (box.current) box.current.indeterminate = tick === 'some'
  }, [tick])
  return (
    <label className={styles.box}>
      <input ref={box} type="checkbox" checked={tick === 'all'} disabled={isLocked} onChange={onToggle} />
      {label}
    </label>
  )
}
