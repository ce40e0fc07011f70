import { sendCommand } from '@aisle/contract/device/command'
import { type CheckedPart, checkFields, getSelfChecks, listSelfChecks } from '@aisle/contract/device/selfCheck'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import { detailText } from './commandDrawer'
import styles from './device.module.css'
import { classes } from '../../ui/classes'

type Checks = OutputOf<typeof getSelfChecks>
const shown = [getSelfChecks, listSelfChecks]

/** What fails first, then every part, then how it was before. */
export function CheckDrawer({ id }: DrawerRow) {
  const t = useText('device')
  const result = useEndpoint(getSelfChecks, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ machine }) => `${machine.code} ${machine.name}`}
      head={({ machine }) => (
        <div className="tags">
          <StateCell value={machine.outcome} field={checkFields.outcome} t={t} />
          <StateCell value={machine.connection} field={checkFields.connection} t={t} />
          <ScreenLink screen="shj/wdshj" search={{ id: String(id) }}>
            {t('check.machine')}
          </ScreenLink>
        </div>
      )}
      actions={({ machine }) => (
        <CommandButton
          endpoint={sendCommand}
          verb="selfCheck"
          t={t}
          target={{ id, type: 'self_check' }}
          names={['reason']}
          vars={{ code: machine.code }}
          isEnabled={machine.connection === 'online' && !machine.isAsked}
          tone="main"
          changes={shown}
        />
      )}
    >
      {(checks) => (
        <>
          <Parts checks={checks} />
          <Section title={t('check.history')}>
            <History checks={checks} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Parts({ checks: { machine, parts } }: { checks: Checks }) {
  const t = useText('device')
  if (parts.length === 0) return <p className="quiet">{t('check.never')}</p>
  const motors = parts.filter(({ part, slot }) => part === 'motor' && slot)
  const others = parts.filter((part) => !motors.includes(part))
  return (
    <>
      <Section title={t('check.parts')} note={<Ago at={machine.checkedAt} />}>
        <ul className={styles.partsGrid}>
          {[...others]
            .sort((a, b) => Number(a.ok) - Number(b.ok))
            .map((each) => (
              <PartLine key={each.part} part={each} name={t(`machinePart.${each.part}`)} />
            ))}
        </ul>
      </Section>
      {motors.length > 0 && (
        <Section
          title={t('check.motors')}
          note={t('check.motorsGood', { good: motors.filter(({ ok }) => ok).length, count: motors.length })}
        >
          <ul className={classes(styles.partsGrid, styles.partsMotors)}>
            {motors.map((each) => (
              <PartLine key={each.slot} part={each} name={each.slot ?? ''} />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function PartLine({ part: { ok, code, value }, name }: { part: CheckedPart; name: string }) {
  const t = useText('device')
  const codeText = code && t.has(`motorCode.${code}`) ? t.any(`motorCode.${code}`) : code && detailText(code, t)
  return (
    <li>
      <span>{name}</span>
      <Tag tone={ok ? 'good' : 'bad'} word={t(ok ? 'check.ok' : 'check.bad')} />
      {(value || (!ok && codeText)) && (
        <small className="quiet">{[value, ok ? '' : codeText].filter(Boolean).join(' · ')}</small>
      )}
    </li>
  )
}

function History({ checks: { history } }: { checks: Checks }) {
  const t = useText('device')
  if (history.length === 0) return <p className="quiet">{t('check.never')}</p>
  const nameOf = (part: string) => (t.has(`machinePart.${part}`) ? t.any(`machinePart.${part}`) : part)
  return (
    <Timeline
      moments={history.map(({ id, checkedAt, partCount, failing }) => ({
        key: String(id),
        tone: failing.length > 0 ? 'bad' : 'good',
        title: failing.length > 0 ? failing.map(nameOf).join(' · ') : t('check.allGood'),
        detail: t('check.counted', { count: partCount }),
        when: <Ago at={checkedAt} />,
      }))}
    />
  )
}
