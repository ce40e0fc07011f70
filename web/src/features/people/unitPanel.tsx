import { getOrganisation, organisation } from '@aisle/contract/people/organisation'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { Failure } from '../../admin/failure'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { can } from '../../live/session'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { ShortList } from '../../ui/shortList'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { UnitVerbs } from './unitVerbs'
import styles from './people.module.css'

/** One unit: what may be done with it, who is in it, and which machines are its work. */
export function UnitPanel({ id, onRemoved }: { id: number; onRemoved: () => void }) {
  const t = useText('people')
  const { data: unit, error, refetch } = useEndpoint(getOrganisation, { id }, { errors: 'throw' })
  if (!unit) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const { name, above, members, machines } = unit
  return (
    <div className={styles.parts}>
      <div>
        <p className="quiet">{above.join(' / ')}</p>
        <h2 className={styles.unitName}>{name}</h2>
        <div className="tags">
          <StateCell value={unit.kind} field={organisation.fields.kind} t={t} />
          <StateCell value={unit.state} field={organisation.fields.state} t={t} />
        </div>
      </div>
      <div className={styles.line}>
        <UnitVerbs unit={unit} onRemoved={onRemoved} />
      </div>
      <Facts
        facts={[
          { label: t('field.memberCount'), value: String(unit.memberCount) },
          { label: t('field.memberTotal'), value: String(unit.memberTotal) },
          { label: t('field.machineCount'), value: String(unit.machineCount) },
        ]}
      />
      <Section title={t('unit.members')}>
        <ShortList
          rows={members}
          none={t('unit.members.none')}
          says={(member) => (
            <>
              <ScreenLink screen="shgl/wdtd" search={{ open: String(member.id) }}>
                {member.name}
              </ScreenLink>{' '}
              <small className="quiet">{member.account}</small>
            </>
          )}
          ends={({ isActive }) =>
            !isActive && <Tag tone="idle" word={t('userState.disabled')} hint={t('userState.disabled.help')} />
          }
        />
      </Section>
      <Section title={t('unit.machines')}>
        <ShortList
          rows={machines}
          none={t('unit.machines.none')}
          says={({ code, name: machine }) => (
            <>
              <ScreenLink screen="shj/wdshj" search={{ code }}>
                {code}
              </ScreenLink>{' '}
              {machine}
            </>
          )}
        />
        <Authorise id={id} />
      </Section>
    </div>
  )
}

function Authorise({ id }: { id: number }) {
  const t = useText('people')
  const { path, access } = screenOf('shgl/tdjqsq')
  if (!can(access)) return null
  return (
    <p>
      <Link to={path} search={{ to: `organisation-${id}` }} className="btn">
        {t('machines.authorise')}
      </Link>
    </p>
  )
}
