import { doctorFields, getDoctor } from '@aisle/contract/people/doctor'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Tabs } from '../../ui/control/tabs'
import { ShortList } from '../../ui/shortList'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { BindMachines } from './bindMachines'
import { DoctorVerbs } from './doctorVerbs'
import styles from './people.module.css'

export type DoctorDetail = OutputOf<typeof getDoctor>

/** Whether somebody may practise, where, and for which machines they answer. */
export function DoctorDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('people')
  const result = useEndpoint(getDoctor, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name, account }) => (
        <>
          {name} <small className="quiet">{account}</small>
        </>
      )}
      head={({ profession, practice, state }) => (
        <div className="tags">
          <StateCell value={profession} field={doctorFields.profession} t={t} />
          <StateCell value={practice} field={doctorFields.practice} t={t} />
          <StateCell value={state} field={doctorFields.state} t={t} />
        </div>
      )}
      actions={(doctor) => <DoctorVerbs doctor={doctor} />}
    >
      {(doctor) => (
        <Tabs
          label={doctor.name}
          current={tab}
          onPick={pickTab}
          tabs={[
            { key: 'facts', label: t('user.tab.facts'), panel: <Overview doctor={doctor} /> },
            { key: 'machines', label: t('doctor.tab.machines'), panel: <BindMachines key={id} doctor={doctor} /> },
          ]}
        />
      )}
    </RowDrawer>
  )
}

function Overview({ doctor }: { doctor: DoctorDetail }) {
  const t = useText('people')
  const { phone, hospitalName, department, licences } = doctor
  return (
    <div className={styles.parts}>
      <Facts
        facts={[
          { label: t('field.hospitalName'), value: hospitalName ?? t('doctor.noHospital') },
          { label: t('field.department'), value: department },
          { label: t('field.merchantName'), value: doctor.merchantName },
          { label: t('field.phone'), value: phone && <a href={`tel:${phone}`}>{phone}</a> },
          {
            label: t('field.account'),
            value: (
              <ScreenLink screen="shgl/wdtd" search={{ open: String(doctor.id) }}>
                {doctor.account}
              </ScreenLink>
            ),
          },
        ]}
      />
      <Section title={t('doctor.licences')}>
        <ShortList
          rows={licences}
          none={t('doctor.licences.none')}
          says={({ id, number, issuedBy, validFrom, validTo }) => (
            <>
              <ScreenLink screen="shgl/zjgl" search={{ open: String(id) }}>
                {number}
              </ScreenLink>{' '}
              <small className="quiet">
                {issuedBy} · <Day on={validFrom} /> – {validTo ? <Day on={validTo} /> : t('doctor.longTerm')}
              </small>
            </>
          )}
          ends={({ isRevoked }) =>
            isRevoked && <Tag tone="idle" word={t('doctor.revoked')} hint={t('doctor.revoked.help')} />
          }
        />
      </Section>
    </div>
  )
}
