import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import type { ComponentType } from 'react'
import { type ListAddress, useAddress } from '../../admin/useAddress'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { Icon } from '../../ui/icons'
import { Tabs } from '../../ui/control/tabs'
import { useText } from '../../ui/text'
import styles from './grant.module.css'
import { GrantHistory } from './grantHistory'
import { GrantMachines } from './grantMachines'
import { grantShape, keyOf, type Target } from './grantTarget'
import { classes } from '../../ui/classes'

export type ChooserProps = { chosen: Target | null; choose: (target: Target) => void }

/**
 * To whom on the left, which machines on the right. The chosen one, the filters and the view stand in the address, so
 * that "look at what I gave him" can be sent as a link.
 * @param useTarget finds whom the address names
 */
export function grantPage(page: {
  screen: string
  /** Reads the tree again, since its figures change. */
  tree: Endpoint
  Chooser: ComponentType<ChooserProps>
  useTarget: (key: string | undefined) => Target | null
}): ComponentType {
  const { path } = screenOf(page.screen)
  return function GrantPage() {
    const { Chooser } = page
    const address = useAddress(path, grantShape)
    const target = page.useTarget(address.query.to)
    const title = useText('screens').any(page.screen)
    const choose = (next: Target) => address.show({ to: keyOf(next) })
    return (
      <div className={classes(styles.grant, target && styles.hasTarget)}>
        <header className="list-head">
          <h1>{title}</h1>
        </header>
        <div className={styles.parts}>
          <section className={classes('list-card', styles.tree)} aria-label={title}>
            <Chooser chosen={target} choose={choose} />
          </section>
          <section className={classes('list-card', styles.side)} aria-label={target?.name ?? title}>
            {target ? <Side key={keyOf(target)} {...{ target, address, tree: page.tree }} /> : <Nobody />}
          </section>
        </div>
        <Hints />
      </div>
    )
  }
}

function Nobody() {
  const t = useText('sight')
  return <Empty icon="machine" title={t('grant.nobody')} text={t('grant.nobody.hint')} />
}

function Side({ target, address, tree }: { target: Target; address: ListAddress; tree: Endpoint }) {
  const t = useText('sight')
  return (
    <>
      <div className={styles.head}>
        <button
          type="button"
          className={classes('icon-btn', styles.back)}
          aria-label={t('grant.back')}
          onClick={() => address.show({})}
        >
          <Icon name="back" />
        </button>
        <h2>{target.name}</h2>
        <span className="quiet">{target.note}</span>
      </div>
      {target.blocked && <p className="list-notice">{t(target.blocked)}</p>}
      <Tabs
        label={target.name}
        current={address.query.view ?? null}
        onPick={(view) => address.change({ view })}
        tabs={[
          { key: 'machines', label: t('grant.machines'), panel: <GrantMachines {...{ target, address, tree }} /> },
          { key: 'history', label: t('grant.history'), panel: <GrantHistory target={target} /> },
        ]}
      />
    </>
  )
}
