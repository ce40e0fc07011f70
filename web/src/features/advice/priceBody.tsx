import { type PriceAdviceDetail, priceAdviceFields, type PriceTrial } from '@aisle/contract/advice/price'
import { countText, percentText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { Day } from '../../admin/fields/time'
import lined from '../../shelf/lines.module.css'
import { Section } from '../../ui/feedback/drawer'
import { Facts, Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

type Props = { one: PriceAdviceDetail }

/** What it comes to, demand by price, trials with their results, and former changes. */
export function PriceBody({ one }: Props) {
  return (
    <>
      <Gain one={one} />
      <Demand one={one} />
      {one.trials.map((trial) => (
        <Trial key={trial.id} trial={trial} />
      ))}
      <Changes one={one} />
    </>
  )
}

const tenth = (value: number) => countText(Math.round(value * 10) / 10)

function Gain({ one }: Props) {
  const t = useText('advice')
  const { verdict, lacking, nowFen, advisedFen, gainFen, lowFen, highFen, elasticity, costFen } = one
  if (lacking) return <p>{t(`lacking.${lacking}.help`)}</p>
  return (
    <Section title={t(`priceVerdict.${verdict}`)} note={t('price.gain.help')}>
      {advisedFen !== null && gainFen !== null && lowFen !== null && highFen !== null && (
        <Figures
          facts={[
            { label: t('field.nowFen'), value: <Money fen={nowFen} /> },
            { label: t('field.advisedFen'), value: <Money fen={advisedFen} /> },
            { label: t('field.gainFen'), value: <Money fen={gainFen} /> },
            { label: t('field.lowFen'), value: <Money fen={lowFen} /> },
            { label: t('field.highFen'), value: <Money fen={highFen} /> },
          ]}
        />
      )}
      <Facts
        facts={[
          {
            label: t('price.elasticity'),
            value: elasticity && `${tenth(elasticity.value)} (${tenth(elasticity.low)} … ${tenth(elasticity.high)})`,
          },
          { label: t('price.cost'), value: <Money fen={costFen} /> },
          { label: t('field.merchantName'), value: one.merchantName },
        ]}
      />
    </Section>
  )
}

function Demand({ one: { demand } }: Props) {
  const t = useText('advice')
  return (
    <Section title={t('price.demand')} note={t('price.demand.help')}>
      <ul className={lined.lines}>
        {demand.map(({ fen, machines, pieces, perDay }) => (
          <li key={fen}>
            <span className={lined.what}>
              <Money fen={fen} />
            </span>
            <span className="quiet">{t('price.machines', { count: countText(machines) })}</span>
            <span className="quiet">{t('recommendation.pieces', { count: countText(pieces) })}</span>
            <span>{t('price.perDay', { count: countText(Math.round(perDay * 100) / 100) })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Trial({ trial }: { trial: PriceTrial }) {
  const t = useText('advice')
  const { change, percent, verdict, through } = trial
  const side = ({ before, during }: PriceTrial['with']) =>
    through !== null && (
      <>
        <Money fen={Math.round(before)} /> → <Money fen={Math.round(during)} />
      </>
    )
  return (
    <Section title={t('price.trial')} note={t('price.trial.help')}>
      <div className="tags">
        <StateCell value={trial.state} field={priceAdviceFields.trialState} t={t} />
        {verdict && <StateCell value={verdict} field={priceAdviceFields.trialVerdict} t={t} />}
      </div>
      {trial.why && <p className="quiet">{t(`unmeasured.${trial.why}`)}</p>}
      <Facts
        facts={[
          {
            label: t('price.change'),
            value: (
              <>
                <Money fen={trial.fromFen} /> → <Money fen={trial.toFen} />
              </>
            ),
          },
          {
            label: t('price.days'),
            value: (
              <>
                <Day on={trial.startsOn} /> – <Day on={trial.endsOn} />
              </>
            ),
          },
          { label: t('field.stopPercent'), value: percentText(trial.stopPercent) },
          { label: t('price.with', { count: trial.with.machines }), value: side(trial.with) },
          { label: t('price.without', { count: trial.without.machines }), value: side(trial.without) },
          {
            label: t('price.effect'),
            value: change && (
              <>
                <Money fen={Math.round(change.value)} />{' '}
                <span className="quiet">
                  (<Money fen={Math.round(change.low)} /> … <Money fen={Math.round(change.high)} />)
                </span>
              </>
            ),
          },
          { label: t('price.percent'), value: percent && percentText(Math.round(percent.value * 10) / 10) },
          { label: t('price.through'), value: through && <Day on={through} /> },
          { label: t('price.startedBy'), value: trial.startedBy },
        ]}
      />
    </Section>
  )
}

function Changes({ one: { changes } }: Props) {
  const t = useText('advice')
  if (changes.length === 0) return null
  return (
    <Section title={t('price.changes')}>
      <ul className={lined.lines}>
        {changes.map(({ on, fromFen, toFen, slots }) => (
          <li key={`${on}${fromFen ?? ''}${toFen ?? ''}`}>
            <span className={lined.what}>
              <Day on={on} />
            </span>
            <span>
              {fromFen !== null && <Money fen={fromFen} />} → {toFen !== null && <Money fen={toFen} />}
            </span>
            <span className="quiet">{t('price.slots', { count: countText(slots) })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
