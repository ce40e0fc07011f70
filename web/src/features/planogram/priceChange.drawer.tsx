import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import {
  applyPriceChange,
  discardPriceChange,
  getPriceChange,
  getPricedSlots,
  listPriceChanges,
  listPricedMachines,
  priceChangeFields,
  priceChangeState,
  pricedTones,
  redraftPriceChange,
  undoPriceChange,
} from '@aisle/contract/planogram/priceChange'
import { commandState } from '@aisle/contract/device/commands'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { Tag, type Tone } from '../../ui/tag'
import { useLanguage, useText } from '../../ui/text'
import { PricedMachines } from './priceChange.machines'
import styles from './priceChange.module.css'

type Change = OutputOf<typeof getPriceChange>
const shown = [listPriceChanges, getPriceChange, listPricedMachines, getPricedSlots] as const
const commandTones: Record<string, Tone> = {
  done: 'good',
  failed: 'bad',
  refused: 'bad',
  expired: 'warn',
  cancelled: 'idle',
}

/** What each slot would cost or costs, why some stay as they are, and how the machines take it. */
export function PriceChangeDrawer({ id }: DrawerRow) {
  const t = useText('planogram')
  const result = useEndpoint(getPriceChange, { id }, { errors: 'throw' })
  useLive({ topic: 'commands', also: [] }, [getPriceChange, listPricedMachines, getPricedSlots])
  return (
    <RowDrawer
      result={result}
      title={({ products, productCount }) => (productCount > 3 ? `${products} +${productCount - 3}` : products)}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={priceChangeFields.state} t={t} />
        </div>
      )}
      actions={(change) => <Verbs change={change} />}
    >
      {(change) => (
        <>
          {change.staleCount > 0 && (
            <p className="fault" role="alert">
              {t('price.stale', { count: change.staleCount })}
            </p>
          )}
          <Outcomes change={change} />
          {priceChangeState.is(change.state, 'told') && <Progress change={change} />}
          <PricedMachines id={id} />
          {change.productPrices.length > 0 && <ProductPrices change={change} />}
          <About change={change} />
        </>
      )}
    </RowDrawer>
  )
}

function Verbs({ change: { id, state, staleCount, outcomes, machineCount } }: { change: Change }) {
  const t = useText('planogram')
  const common = { t, target: { id }, changes: shown }
  const can = (verb: keyof typeof priceChangeState.moves) => priceChangeState.can(state, verb)
  const countIn = (wanted: string) =>
    outcomes.filter(({ state: each }) => each === wanted).reduce((sum, { count }) => sum + count, 0)
  if (priceChangeState.is(state, 'draft')) {
    return (
      <>
        <CommandButton
          {...common}
          endpoint={applyPriceChange}
          verb="applyPriceChange"
          tone="main"
          vars={{ slots: countText(countIn('planned')), machines: countText(machineCount) }}
          isEnabled={can('apply')}
        />
        <CommandButton
          {...common}
          endpoint={redraftPriceChange}
          verb="redraftPriceChange"
          {...(staleCount > 0 && { tone: 'main' as const })}
        />
        <CommandButton {...common} endpoint={discardPriceChange} verb="discardPriceChange" tone="danger" />
      </>
    )
  }
  return (
    <CommandButton
      {...common}
      endpoint={undoPriceChange}
      verb="undoPriceChange"
      tone="danger"
      vars={{ slots: countText(countIn('set')) }}
      isEnabled={can('undo')}
    />
  )
}

function Outcomes({ change: { outcomes } }: { change: Change }) {
  const t = useText('planogram')
  return (
    <Section title={t('price.outcomes')}>
      <p className={styles.counts}>
        {outcomes.map(({ state, why, count }) => (
          <span key={`${state} ${why}`}>
            <Tag tone={pricedTones[state]} word={t(`pricedState.${state}`)} /> {countText(count)}
            {why && <small className="quiet"> · {t(`priceWhy.${why}`)}</small>}
          </span>
        ))}
      </p>
    </Section>
  )
}

function Progress({ change: { waiting, commands } }: { change: Change }) {
  const t = useText('planogram')
  const device = useText('device')
  const total = Object.values(commands).reduce((sum, count) => sum + count, waiting)
  return (
    <Section title={t('price.progress')} note={waiting > 0 && t('price.waiting', { count: countText(waiting) })}>
      <p className={styles.counts}>
        <progress max={Math.max(1, total)} value={commands.done ?? 0} aria-label={t('price.progress')} />
        {commandState.states
          .filter((state) => commands[state])
          .map((state) => (
            <span key={state}>
              <Tag tone={commandTones[state] ?? 'busy'} word={device(`commandState.${state}`)} />{' '}
              {countText(commands[state] ?? 0)}
            </span>
          ))}
      </p>
    </Section>
  )
}

function ProductPrices({ change: { productPrices } }: { change: Change }) {
  const t = useText('planogram')
  const language = useLanguage()
  return (
    <Section title={t('price.ofProducts')}>
      <ul className={styles.lines}>
        {productPrices.map(({ id, code, name, nowFen, beforeFen, afterFen, state }) => (
          <li key={id}>
            <span>
              <b>{code}</b> {name}
            </span>
            <span>
              <del>{moneyText(beforeFen, language)}</del> <ins>{moneyText(afterFen, language)}</ins>
            </span>
            <Tag tone={pricedTones[state]} word={t(`pricedState.${state}`)} />
            <small className="quiet">{t('price.now', { price: moneyText(nowFen, language) })}</small>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function About({ change }: { change: Change }) {
  const t = useText('planogram')
  const { rule, amountFen, percent, roundTo, scope, scopeName, reason, changesProducts } = change
  const { createdBy, createdAt, appliedBy, appliedAt, undoneBy, undoneAt } = change
  const who = (name: string | null, at: string | null) =>
    at && (
      <>
        {name} · <Ago at={at} />
      </>
    )
  return (
    <Section title={t('price.facts')}>
      <Facts
        facts={[
          { label: t('field.reason'), value: reason },
          { label: t('field.rule'), value: t(`priceRule.${rule}`) },
          { label: t('field.amountFen'), value: amountFen !== null && <Money fen={amountFen} /> },
          { label: t('field.percent'), value: percent !== null && `${percent} %` },
          { label: t('field.roundTo'), value: rule !== 'set' && t(`roundTo.${roundTo}`) },
          { label: t('field.scope'), value: [t(`priceScope.${scope}`), scopeName].filter(Boolean).join(' · ') },
          { label: t('field.changesProducts'), value: changesProducts && '✓' },
          { label: t('field.createdBy'), value: createdBy },
          { label: t('field.createdAt'), value: <When at={createdAt} /> },
          { label: t('field.appliedAt'), value: who(appliedBy, appliedAt) },
          { label: t('field.undoneAt'), value: who(undoneBy, undoneAt) },
        ]}
      />
    </Section>
  )
}
