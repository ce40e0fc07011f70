import { commandTones } from '@aisle/contract/device/command'
import { getDeviceLink } from '@aisle/contract/device/link'
import { lineText, saidText } from '@aisle/contract/device/said'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import type { ReactNode } from 'react'
import { Failure } from '../../../admin/failure'
import { Ago } from '../../../admin/fields/time'
import { useEndpoint } from '../../../live/query'
import { Section } from '../../../ui/feedback/drawer'
import { Tag } from '../../../ui/tag'
import { currentLanguage, type Text, useText } from '../../../ui/text'
import styles from './machine.module.css'

type Link = OutputOf<typeof getDeviceLink>

/** What went over the wire: for whoever asks why a machine does not do what it should. */
export function MachineLink({ id }: { id: number }) {
  const t = useText('device')
  const { data, error, refetch } = useEndpoint(getDeviceLink, { id }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  return (
    <div className={styles.live}>
      <Section title={t('link.refusals')} note={t('link.refusals.help')}>
        <Lines empty={t('link.refusals.empty')}>{data.refusals.map((each) => refusalLine(each, t))}</Lines>
      </Section>
      {data.gaps.length > 0 && (
        <Section title={t('link.gaps')} note={t('link.gaps.help')}>
          <ul className={styles.wire}>{data.gaps.map((each) => gapLine(each, t))}</ul>
        </Section>
      )}
      <Section title={t('link.commands')}>
        <Lines empty={t('link.commands.empty')}>{data.commands.map((each) => commandLine(each, t))}</Lines>
      </Section>
      <Section title={t('link.messages')} note={t('link.messagesToday', { count: data.messagesToday })}>
        <Lines empty={t('link.messages.empty')}>{data.lastMessages.map((each) => messageLine(each, t))}</Lines>
      </Section>
      <Section title={t('link.log')}>
        <Lines empty={t('link.log.empty')}>{data.log.map((each) => logLine(each, t))}</Lines>
      </Section>
      {data.plays.length > 0 && (
        <Section title={t('link.plays')} note={data.plays[0]?.day ?? ''}>
          <ul className={styles.wire}>{data.plays.map((each) => playLine(each, t))}</ul>
        </Section>
      )}
    </div>
  )
}

function Lines({ empty, children }: { empty: string; children: ReactNode[] }) {
  if (children.length === 0) return <p className="quiet">{empty}</p>
  return <ul className={styles.wire}>{children}</ul>
}

function Line(props: { title: string; tag: ReactNode; at: string; note: string }) {
  const { title, tag, at, note } = props
  return (
    <li>
      <span>{title}</span>
      {tag}
      <span className={styles.wireWhen}>
        <Ago at={at} />
      </span>
      {note && <span className={styles.wireNote}>{note}</span>}
    </li>
  )
}

function refusalLine({ id, at, reason, type, detail, count }: Link['refusals'][number], t: Text<'device'>) {
  const tag = <Tag tone="bad" word={reasonText(reason, t)} />
  const times = count > 1 ? t('link.times', { count }) : ''
  return (
    <Line key={id} title={typeText(type, t)} tag={tag} at={at} note={[times, detail].filter(Boolean).join(' · ')} />
  )
}

const levelTones = { debug: 'idle', info: 'idle', warn: 'warn', error: 'bad' } as const

const logLine = ({ id, at, level, lines }: Link['log'][number], t: Text<'device'>) => (
  <Line
    key={id}
    title={lineText(lines.at(-1) ?? '', t)}
    tag={<Tag tone={levelTones[level]} word={t(`logLevel.${level}`)} />}
    at={at}
    note={lines
      .slice(0, -1)
      .map((line) => lineText(line, t))
      .join(' · ')}
  />
)

const playLine = ({ ad, plays, seconds }: Link['plays'][number], t: Text<'device'>) => (
  <li key={ad}>
    <span>{ad}</span>
    <span />
    <span className={styles.wireWhen}>{t('link.played', { plays, minutes: Math.round(seconds / 60) })}</span>
  </li>
)

const gapLine = ({ id, first, last, since }: Link['gaps'][number], t: Text<'device'>) => (
  <li key={id}>
    <span>{t('link.gap', { first, last })}</span>
    <span />
    <span className={styles.wireWhen}>
      <Ago at={since} />
    </span>
  </li>
)

function commandLine(command: Link['commands'][number], t: Text<'device'>) {
  const { id, type, state, reason, createdBy, createdAt } = command
  const hint = t(`commandState.${state}.help`)
  const tag = <Tag tone={commandTones[state]} word={t(`commandState.${state}`)} hint={hint} />
  const who = createdBy ? t('link.by', { name: createdBy }) : t('link.bySystem')
  const note = [who, reason && t.or(`commandReason.${reason}`, reason)].filter(Boolean).join(' · ')
  return <Line key={id} title={t(`command.${type}`)} tag={tag} at={createdAt} note={note} />
}

function messageLine(
  { msgId, type, state: became, reason, at, data }: Link['lastMessages'][number],
  t: Text<'device'>,
) {
  const isRefused = became === 'refused'
  const words = isRefused ? 'refused' : 'processed'
  const tag = (
    <Tag tone={isRefused ? 'bad' : 'good'} word={t(`messageState.${words}`)} hint={t(`messageState.${words}.help`)} />
  )
  const note = reason ? reasonText(reason, t) : data ? wordsOf(data, t) : ''
  return <Line key={msgId} title={typeText(type, t)} tag={tag} at={at} note={note} />
}

const wordsOf = (data: Record<string, unknown>, t: Text<'device'>): string =>
  saidText(data, t, (fen) => moneyText(fen, currentLanguage()))

/** A forged message may claim any type and a future server any reason: what no catalog words is shown as it is. */
const typeText = (type: string | null, t: Text<'device'>): string => t.or(`messageType.${type}`, type ?? '–')
export const reasonText = (reason: string, t: Text<'device'>): string => t.or(`messageRefusal.${reason}`, reason)
