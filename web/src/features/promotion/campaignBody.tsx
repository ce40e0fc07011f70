import {
  blockingConflicts,
  type CampaignConflict,
  type CampaignDetail,
  campaignState,
} from '@aisle/contract/promotion/campaign'
import { planFields } from '@aisle/contract/promotion/plan'
import { countText, percentText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { CampaignResults } from './campaignResults'
import styles from './markdown.module.css'

type Props = { campaign: CampaignDetail }

/** What speaks against it, what it is for and what came of it, its plans, and who stays out. */
export function CampaignBody({ campaign }: Props) {
  return (
    <>
      <Conflicts campaign={campaign} />
      <CampaignResults campaign={campaign} />
      <Known campaign={campaign} />
      <Plans campaign={campaign} />
      <Controls campaign={campaign} />
    </>
  )
}

function Conflicts({ campaign: { conflicts } }: Props) {
  const t = useText('promotion')
  if (conflicts.length === 0) return null
  return (
    <Section title={t('plan.conflicts')} note={t('campaign.conflicts.help')}>
      <ul className={styles.slots}>
        {conflicts.map((conflict) => (
          <li key={`${conflict.kind}${conflict.planId ?? ''}${conflict.campaignId ?? ''}`}>
            <ConflictLine conflict={conflict} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function ConflictLine({ conflict: { kind, count, name, planId, campaignId } }: { conflict: CampaignConflict }) {
  const t = useText('promotion')
  const open = String(planId ?? campaignId ?? '')
  const tone = blockingConflicts.includes(kind) ? 'bad' : 'warn'
  return (
    <>
      <Tag tone={tone} word={t(`campaignConflict.${kind}`)} hint={t(`campaignConflict.${kind}.help`)} />
      {open !== '' && (
        <ScreenLink screen={planId === null ? 'yxch/yxjhgl' : 'yxch/yxfagl'} search={{ open }}>
          {name}
        </ScreenLink>
      )}
      {count > 1 && <span className="quiet">{countText(count)}</span>}
    </>
  )
}

function Known({ campaign }: Props) {
  const t = useText('promotion')
  const { before, spans, endedAt } = campaign
  const isBegun = spans.length > 0
  return (
    <Section title={t('campaign.facts')}>
      <Facts
        facts={[
          { label: t('field.startsOn'), value: <Day on={campaign.startsOn} /> },
          { label: t('field.endsOn'), value: <Day on={campaign.endsOn} /> },
          {
            label: t('campaign.goal'),
            value: `${t(`campaignMeasure.${campaign.measure}`)} +${percentText(campaign.goalPercent)}`,
          },
          {
            label: t('campaign.before'),
            value: (
              <>
                <Day on={before.from} /> – <Day on={before.to} />
              </>
            ),
          },
          {
            label: t('campaign.spans'),
            value:
              isBegun &&
              spans.map(({ from, to }) => (
                <div key={from}>
                  <Day on={from} /> – {to ? <Day on={to} /> : t('campaign.lasting')}
                </div>
              )),
          },
          { label: t('campaign.given'), value: isBegun && <Money fen={campaign.givenFen} /> },
          { label: t('plan.orders'), value: isBegun && countText(campaign.orders) },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
          { label: t('field.merchantName'), value: campaign.merchantName },
          { label: t('field.createdBy'), value: campaign.createdBy },
        ]}
      />
    </Section>
  )
}

/** With what is gone of the limits that each has: these are what bounds the cost of a campaign. */
function Plans({ campaign: { plans } }: Props) {
  const t = useText('promotion')
  return (
    <Section title={t('campaign.plans')} note={t('campaign.plans.help')}>
      <ul className={styles.slots}>
        {plans.map(({ id, name, state, maxUses, uses, budgetFen, spentFen }) => (
          <li key={id}>
            <ScreenLink screen="yxch/yxfagl" search={{ open: String(id) }}>
              {name}
            </ScreenLink>
            <StateCell value={state} field={planFields.state} t={t} />
            {maxUses !== null && (
              <span className="quiet">
                {t('field.uses')} {countText(uses)} / {countText(maxUses)}
              </span>
            )}
            {budgetFen !== null && (
              <span className="quiet">
                {t('field.budgetFen')} <Money fen={spentFen} /> / <Money fen={budgetFen} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Controls({ campaign: { controls, comparable, state } }: Props) {
  const t = useText('promotion')
  const help = campaignState.is(state, 'draft') ? 'campaign.controls.draft' : 'campaign.controls.help'
  return (
    <Section title={t('campaign.controls')} note={t(help)}>
      {comparable && (
        <Facts
          facts={[
            { label: t('campaign.withMachines'), value: countText(comparable.with) },
            { label: t('campaign.withSold'), value: <Money fen={comparable.withFen} /> },
            {
              label: t('campaign.withoutSold'),
              value: comparable.withoutFen === null ? null : <Money fen={comparable.withoutFen} />,
            },
          ]}
        />
      )}
      {controls.length === 0 && <p className="quiet">{t('campaign.controls.none')}</p>}
      <ul className={styles.slots}>
        {controls.map(({ id, code, name, soldFen }) => (
          <li key={id}>
            <span>
              <MachineLink code={code} /> {name}
            </span>
            <Money fen={soldFen} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
