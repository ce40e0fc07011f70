import { moneyText } from '@aisle/contract/kernel/text'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  approveDifference,
  decideDifference,
  differenceFields,
  getDifference,
  listDifferences,
  refuseDifference,
  takeDifference,
} from '@aisle/contract/settlement/difference'
import { getRun, listRuns, summariseRuns } from '@aisle/contract/settlement/run'
import { differenceState } from '@aisle/contract/settlement/states'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import type { Values } from '../../admin/form/schema'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { AccountName, EntryMoney, Moves } from '../../ui/books'
import { Money } from '../../ui/money'
import type { Tone } from '../../ui/tag'
import { useLanguage, useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import { decisionInputs } from './decisionInput'
import styles from './settlement.module.css'

export type DifferenceDetail = OutputOf<typeof getDifference>
const shown = [listDifferences, getDifference, listRuns, getRun, summariseRuns] as const

/** What we know and what the bill says side by side, and what becomes of it. */
export function DifferenceDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getDifference, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ kind, day }) => `#${id} ${t(`differenceKind.${kind}`)} · ${day}`}
      head={({ state, provider }) => (
        <div className="tags">
          <StateCell value={state} field={differenceFields.state} t={t} />
          <StateCell value={provider} field={differenceFields.provider} t={t} />
        </div>
      )}
      actions={(difference) => <Verbs difference={difference} />}
    >
      {(difference) => (
        <>
          <p>{t(`differenceKind.${difference.kind}.help`)}</p>
          <Section title={t('section.sides')}>
            <div className={styles.evidence}>
              <Evidence title={t('section.ours')} facts={difference.ours} fen={difference.ourFen} />
              <Evidence title={t('section.theirs')} facts={difference.theirs} fen={difference.theirFen} />
            </div>
          </Section>
          <Decided difference={difference} />
          {difference.entries.length > 0 && (
            <Section title={t('section.entries')}>
              <ul className={styles.bookLines}>
                {difference.entries.map(({ account, amountFen }) => (
                  <li key={account}>
                    <AccountName name={account} />
                    <EntryMoney fen={amountFen} />
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <Section title={t('section.story')}>
            <Story difference={difference} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Verbs({ difference }: { difference: DifferenceDetail }) {
  const t = useText('settlement')
  const language = useLanguage()
  const { id, state, decision, kind } = difference
  if (differenceState.is(state, 'settled')) return null
  const common = { t, target: { id }, changes: shown }
  const isProposed = differenceState.is(state, 'proposed')
  return (
    <>
      {isProposed && (
        <>
          <CommandButton
            {...common}
            endpoint={approveDifference}
            verb="approveDifference"
            tone="main"
            vars={{ decision: decision ? t(`decision.${decision}`) : '' }}
            preview={WriteOffMoves}
            isEnabled={!difference.isProposedByMe}
          />
          <CommandButton {...common} endpoint={refuseDifference} verb="refuseDifference" />
        </>
      )}
      {!isProposed && (
        <CommandButton
          {...common}
          endpoint={decideDifference}
          verb="decideDifference"
          tone="main"
          vars={{ limit: moneyText(difference.limitFen, language) }}
          fields={differenceFields}
          inputs={{ decision: decisionInputs[kind] }}
          preview={WriteOffMoves}
          isEnabled={differenceState.can(state, 'decide')}
        />
      )}
      <CommandButton {...common} endpoint={takeDifference} verb="takeDifference" />
    </>
  )
}

/** In the question itself: what giving it up will do to the books, and whether at once. */
function WriteOffMoves({ values }: { values: Values }) {
  const t = useText('settlement')
  const { data } = useEndpoint(getDifference, { id: Number(values.id) }, { errors: 'silent' })
  if (!data || (values.decision ?? data.decision) !== 'write_off') return null
  const { writeOff, state, gapFen, limitFen } = data
  const isLater = !differenceState.is(state, 'proposed') && Math.abs(gapFen) > limitFen
  return <Moves moves={writeOff} note={isLater ? t('moves.notYet') : undefined} />
}

type Fact = DifferenceDetail['ours'][number]

function Evidence({ title, facts, fen }: { title: string; facts: readonly Fact[]; fen: number | null }) {
  const t = useText('settlement')
  return (
    <div className={styles.evidenceSide}>
      <h4>
        {title} {fen !== null && <Money fen={fen} />}
      </h4>
      {facts.length === 0 && <p className="quiet">{t('evidence.none')}</p>}
      <Facts facts={facts.map((fact) => ({ label: t.any(`evidence.${fact.name}`), value: <Value fact={fact} /> }))} />
    </div>
  )
}

function Value({ fact: { name, text, fen, at } }: { fact: Fact }) {
  const t = useText('settlement')
  const trade = useText('trade')
  const refund = useText('refund')
  if (fen !== null) return <Money fen={fen} />
  if (at !== null) return <When at={at} />
  if (text === null) return '–'
  if (name === 'attemptState') return t.any(`attemptState.${text}`)
  if (name === 'refundState') return refund.any(`refundState.${text}`)
  if (name === 'shipState') return trade.any(`shipState.${text}`)
  if (name === 'orderNo') {
    return (
      <ScreenLink screen="jygl/ddgl" search={{ orderNo: text }}>
        {text}
      </ScreenLink>
    )
  }
  return text
}

function Decided({ difference }: { difference: DifferenceDetail }) {
  const t = useText('settlement')
  const { decision, runId, day, decidedAt } = difference
  return (
    <Section title={t('section.decision')}>
      <Facts
        facts={[
          {
            label: t('field.day'),
            value: (
              <ScreenLink screen="xtgl/rjs" search={{ open: String(runId) }}>
                {day}
              </ScreenLink>
            ),
          },
          { label: t('field.merchantName'), value: difference.merchantName },
          { label: t('field.gapFen'), value: <Money fen={difference.gapFen} /> },
          { label: t('field.ownerName'), value: difference.ownerName },
          { label: t('field.decision'), value: decision && t(`decision.${decision}`) },
          { label: t('field.reason'), value: difference.reason },
          { label: t('fact.proposed'), value: difference.proposedBy },
          { label: t('fact.approved'), value: difference.approvedBy },
          { label: t('fact.decidedAt'), value: decidedAt && <When at={decidedAt} /> },
        ]}
      />
    </Section>
  )
}

const tones: Record<string, Tone> = { found: 'warn', aged: 'bad', resolved: 'good', decide: 'good', approve: 'good' }

function Story({ difference: { story } }: { difference: DifferenceDetail }) {
  const t = useText('settlement')
  return (
    <Timeline
      moments={story.map(({ id, verb, who, note, at }) => ({
        key: String(id),
        tone: tones[verb] ?? 'busy',
        title: t.any(`event.${verb}`, { who: who ?? '–' }),
        detail: note,
        when: <Ago at={at} />,
      }))}
    />
  )
}
