import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { MachineSelection } from '@aisle/contract/sight/authorisation'
import { useState } from 'react'
import { countText } from '../../admin/fields/number'
import { useText } from '../../ui/text'
import { GrantDialog } from './grantDialog'
import type { Target } from './grantTarget'
import type { Chosen } from './useChosen'
import styles from './grant.module.css'

type Props = {
  target: Target
  tree: Endpoint
  chosen: Chosen
  filter: Record<string, string>
  /** Undefined until it is known. */
  found: number | undefined
  changeable: number
}

/** How many are chosen, how to choose all that the filter finds, and the two verbs. */
export function GrantBar({ target, tree, chosen, filter, found, changeable }: Props) {
  const t = useText('sight')
  const kit = useText('admin')
  const [verb, setVerb] = useState<'grant' | 'revoke' | null>(null)
  const count = chosen.isAll ? changeable : chosen.ids.length
  const machines: MachineSelection = chosen.isAll ? { filter, count } : { machineIds: chosen.ids }
  const canAll = !chosen.isAll && changeable > 0 && (chosen.isPageWhole || count === 0)
  const button = (name: 'grant' | 'revoke') => {
    const why =
      count === 0 ? t('grant.chooseFirst') : name === 'grant' && target.blocked ? t(target.blocked) : undefined
    return (
      <button
        type="button"
        className={name === 'grant' && !why ? 'btn btn-main' : 'btn'}
        aria-disabled={why !== undefined}
        data-hint={why}
        onClick={() => !why && setVerb(name)}
      >
        {t(`verb.${name}`)}
      </button>
    )
  }
  return (
    <div className={styles.bar} role="status">
      <span className={styles.count}>
        {count > 0 && t('grant.chosen', { count: countText(count) })}
        {count === 0 && (found === undefined ? '\u00a0' : kit('list.total', { total: countText(found) }))}
      </span>
      {canAll && (
        <button type="button" className="btn-plain" onClick={chosen.takeAll}>
          {t('grant.takeAll', { count: countText(changeable) })}
        </button>
      )}
      {count > 0 && (
        <button type="button" className="btn-plain" onClick={chosen.clear}>
          {t('grant.clear')}
        </button>
      )}
      <span className={styles.verbs}>
        {button('revoke')}
        {button('grant')}
      </span>
      {verb && (
        <GrantDialog
          {...{ verb, target, tree, machines, count }}
          onClose={() => setVerb(null)}
          onDone={() => {
            setVerb(null)
            chosen.clear()
          }}
        />
      )}
    </div>
  )
}
