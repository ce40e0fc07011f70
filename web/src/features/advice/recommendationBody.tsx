import type { RecommendationDetail } from '@aisle/contract/advice/recommendation'
import { countText, permilleText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { Day, When } from '../../admin/fields/time'
import lined from '../../shelf/lines.module.css'
import { Section } from '../../ui/feedback/drawer'
import { Facts, Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

type Props = { one: RecommendationDetail }

/** What it comes to, the two products beside each other, the machines it is known from, and what became of it. */
export function RecommendationBody({ one }: Props) {
  return (
    <>
      <Gain one={one} />
      <Compared one={one} />
      <Similar one={one} />
      <Outcome one={one} />
    </>
  )
}

function Gain({ one: { gainFen, lowFen, highFen, seenFen, seenDays } }: Props) {
  const t = useText('advice')
  return (
    <Section title={t('recommendation.gain')} note={t('recommendation.gain.help')}>
      <Figures
        facts={[
          { label: t('field.gainFen'), value: <Money fen={gainFen} /> },
          { label: t('field.lowFen'), value: <Money fen={lowFen} /> },
          { label: t('field.highFen'), value: <Money fen={highFen} /> },
          ...(seenFen === null
            ? []
            : [{ label: t('recommendation.seen', { days: seenDays }), value: <Money fen={seenFen} /> }]),
        ]}
      />
    </Section>
  )
}

function Compared({ one }: Props) {
  const t = useText('advice')
  const { kind, incomingName, outgoingName, lossFen, emptyPermille } = one
  const pieces = (count: number) => t('recommendation.pieces', { count: countText(Math.round(count * 10) / 10) })
  return (
    <>
      <p className="quiet">{t(`recommendationKind.${kind}.help`)}</p>
      <Section title={`${t('field.incomingName')}: ${incomingName ?? t('recommendation.nothingComes')}`}>
        <Facts
          facts={[
            {
              label: t('recommendation.earns'),
              value: incomingName !== null && (
                <>
                  <Money fen={one.incomingFen} /> <span className="quiet">{pieces(one.incomingPieces)}</span>
                </>
              ),
            },
            {
              label: t('recommendation.soldBy'),
              value: one.machinesWith > 0 && t('recommendation.of', { with: one.machinesWith, all: one.machines }),
            },
            { label: t('recommendation.empty'), value: emptyPermille !== null && permilleText(emptyPermille) },
            { label: t('recommendation.price'), value: one.priceFen !== null && <Money fen={one.priceFen} /> },
          ]}
        />
      </Section>
      <Section title={`${t('field.outgoingName')}: ${outgoingName ?? t('recommendation.emptySlot')}`}>
        <Facts
          facts={[
            {
              label: t('recommendation.earns'),
              value: outgoingName !== null && (
                <>
                  <Money fen={one.outgoingFen} /> <span className="quiet">{pieces(one.outgoingPieces)}</span>
                </>
              ),
            },
            { label: t('recommendation.loss'), value: lossFen > 0 && <Money fen={lossFen} /> },
            { label: t('recommendation.since'), value: one.stoodSince && <Day on={one.stoodSince} /> },
          ]}
        />
      </Section>
    </>
  )
}

function Similar({ one: { similar, placeKind, levelFromFen, levelToFen, machines } }: Props) {
  const t = useText('advice')
  if (similar.length === 0) return null
  return (
    <Section title={t('recommendation.similar', { count: machines })} note={t('recommendation.similar.help')}>
      <p className="quiet">
        {t(`pointKind.${placeKind}`)} · <Money fen={levelFromFen} /> – <Money fen={levelToFen} />{' '}
        {t('recommendation.aDay')}
      </p>
      <ul className={lined.lines}>
        {similar.map(({ machineCode, machineName, pieces, marginFen }) => (
          <li key={machineCode}>
            <span className={lined.what}>
              <span>
                <MachineLink code={machineCode} /> {machineName}
              </span>
            </span>
            <span className="quiet">{t('recommendation.pieces', { count: countText(pieces) })}</span>
            <Money fen={marginFen} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Outcome({ one }: Props) {
  const t = useText('advice')
  const { decidedAt, begunOn, beforeFen, reason, acceptedInto } = one
  return (
    <Section title={t('recommendation.outcome')}>
      <Facts
        facts={[
          { label: t('field.computedAt'), value: <When at={one.computedAt} /> },
          { label: t('field.decidedAt'), value: decidedAt && <When at={decidedAt} /> },
          { label: t('field.decider'), value: one.decider },
          { label: t('field.reason'), value: reason },
          {
            label: t('recommendation.acceptedInto'),
            value: acceptedInto && (
              <ScreenLink screen="shj/mbgl" search={{ open: String(acceptedInto.id) }}>
                {acceptedInto.name}
              </ScreenLink>
            ),
          },
          { label: t('recommendation.begunOn'), value: begunOn && <Day on={begunOn} /> },
          { label: t('recommendation.before'), value: beforeFen !== null && <Money fen={beforeFen} /> },
          { label: t('field.merchantName'), value: one.merchantName },
        ]}
      />
    </Section>
  )
}
