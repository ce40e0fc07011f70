import type { Conflict } from '@aisle/contract/promotion/plan'
import { countText, percentText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { Day, When } from '../../admin/fields/time'
import { ProductLink } from '../../shelf/productLink'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { DryRun } from './planDryRun'
import styles from './markdown.module.css'
import type { PlanDetail } from './planDrawer'

/** What it says, what speaks against it, where it holds and what came of it. */
export function PlanBody({ plan }: { plan: PlanDetail }) {
  return (
    <>
      <Conflicts plan={plan} />
      <Rules plan={plan} />
      <Scope plan={plan} />
      <DryRun id={plan.id} />
      <Results plan={plan} />
      <Versions plan={plan} />
    </>
  )
}

export function Conflicts({ plan: { conflicts } }: { plan: Pick<PlanDetail, 'conflicts'> }) {
  const t = useText('promotion')
  if (conflicts.length === 0) return null
  return (
    <Section title={t('plan.conflicts')} note={t('plan.conflicts.help')}>
      <ul className={styles.slots}>
        {conflicts.map((conflict) => (
          <li key={`${conflict.kind}${conflict.planId ?? ''}`}>
            <ConflictLine conflict={conflict} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function ConflictLine({ conflict: { kind, count, name, planId } }: { conflict: Conflict }) {
  const t = useText('promotion')
  return (
    <>
      <Tag tone={kind === 'nowhere' ? 'bad' : 'warn'} word={t(`conflict.${kind}`)} hint={t(`conflict.${kind}.help`)} />
      {kind !== 'nowhere' && (
        <span>
          {planId === null ? (
            name
          ) : (
            <ScreenLink screen="yxch/yxfagl" search={{ open: String(planId) }}>
              {name}
            </ScreenLink>
          )}{' '}
          <span className="quiet">{t('plan.slots', { count })}</span>
        </span>
      )}
    </>
  )
}

function Rules({ plan }: { plan: PlanDetail }) {
  const t = useText('promotion')
  const { paidPercent, amountFen, leastFen, startsOn, endsOn, fromTime, toTime } = plan
  return (
    <Section title={t('plan.rules')}>
      <Facts
        facts={[
          { label: t('field.kind'), value: t(`planKind.${plan.kind}`) },
          { label: t('field.paidPercent'), value: paidPercent === null ? null : percentText(paidPercent) },
          { label: t('field.pieces'), value: plan.pieces },
          { label: t('field.leastFen'), value: leastFen === null ? null : <Money fen={leastFen} /> },
          { label: t('field.amountFen'), value: amountFen === null ? null : <Money fen={amountFen} /> },
          { label: t('field.perOrder'), value: plan.perOrder },
          { label: t('field.priority'), value: plan.priority },
          { label: t('field.stacks'), value: t(plan.stacks ? 'plan.stacks' : 'plan.alone') },
          { label: t('field.startsOn'), value: startsOn && <Day on={startsOn} /> },
          { label: t('field.endsOn'), value: endsOn && <Day on={endsOn} /> },
          { label: t('field.weekdays'), value: plan.weekdays.map((day) => t.any(`planDay.${day}`)).join(' · ') },
          { label: t('plan.hours'), value: fromTime && `${fromTime}–${toTime}` },
          { label: t('field.levels'), value: plan.levels.map((level) => t.any(`memberLevel.${level}`)).join(' · ') },
          {
            label: t('field.cardTypes'),
            value: plan.cardTypes.map((type) => t(`memberCardType.${type}`)).join(' · '),
          },
          { label: t('field.isFirstPurchase'), value: plan.isFirstPurchase ? t('plan.first') : null },
          { label: t('field.perMember'), value: plan.perMember },
          { label: t('field.merchantName'), value: plan.merchantName },
          { label: t('field.createdBy'), value: plan.createdBy },
          { label: t('field.createdAt'), value: <When at={plan.createdAt} /> },
          { label: t('field.endedAt'), value: plan.endedAt && <When at={plan.endedAt} /> },
        ]}
      />
    </Section>
  )
}

type Scoped = Pick<PlanDetail, 'products' | 'categories' | 'machines' | 'groups'>

export function Scope({ plan: { products, categories, machines, groups } }: { plan: Scoped }) {
  const t = useText('promotion')
  const names = (of: readonly { name: string }[]) => of.map(({ name }) => name).join(', ')
  return (
    <Section title={t('plan.scope')} note={t('plan.scope.help')}>
      {products.length + categories.length === 0 && <p className="quiet">{t('plan.anyGoods')}</p>}
      {machines.length + groups.length === 0 && <p className="quiet">{t('plan.anyMachine')}</p>}
      <ul className={styles.slots}>
        {products.map(({ id, name }) => (
          <li key={id}>
            <ProductLink id={id}>{name}</ProductLink>
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          { label: t('field.categoryIds'), value: names(categories) },
          { label: t('field.machineIds'), value: names(machines) },
          { label: t('field.groupIds'), value: names(groups) },
        ]}
      />
    </Section>
  )
}

function Results({ plan }: { plan: PlanDetail }) {
  const t = useText('promotion')
  const { sold, maxUses, budgetFen } = plan
  return (
    <Section title={t('plan.results')}>
      <Facts
        facts={[
          { label: t('plan.orders'), value: countText(sold.orders) },
          { label: t('plan.pieces'), value: countText(sold.pieces) },
          { label: t('plan.paid'), value: <Money fen={sold.paidFen} /> },
          { label: t('markdown.forgone'), value: <Money fen={sold.forgoneFen} /> },
          { label: t('field.maxUses'), value: maxUses && `${countText(plan.uses)} / ${countText(maxUses)}` },
          {
            label: t('field.budgetFen'),
            value: budgetFen && (
              <>
                <Money fen={plan.spentFen} /> / <Money fen={budgetFen} />
              </>
            ),
          },
        ]}
      />
    </Section>
  )
}

function Versions({ plan: { versions } }: { plan: PlanDetail }) {
  const t = useText('promotion')
  return (
    <Section title={t('plan.versions')} note={t('plan.versions.help')}>
      <ul className={styles.slots}>
        {versions.map(({ id, number, listedAt, orders, createdBy }) => (
          <li key={id}>
            <span>{t('plan.version', { number })}</span>
            <span className="quiet">{createdBy}</span>
            <span className="quiet">{t('plan.ordersOf', { count: orders })}</span>
            {listedAt ? <When at={listedAt} /> : <span className="quiet">{t('planState.not_listed')}</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
