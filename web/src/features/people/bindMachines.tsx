import { getDoctor, listDoctors } from '@aisle/contract/people/doctor'
import { grantToUser, listUserMachines, revokeFromUser } from '@aisle/contract/sight/authorisation'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ScreenLink } from '../../admin/fields/ref'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Section } from '../../ui/feedback/drawer'
import { toast } from '../../ui/feedback/notice'
import { ShortList } from '../../ui/shortList'
import { useText } from '../../ui/text'
import type { DoctorDetail } from './doctorDrawer'
import styles from './people.module.css'

/** Machines that somebody answers for: many are bound or released in one go; thousands on the page of its own. */
export function BindMachines({ doctor }: { doctor: DoctorDetail }) {
  const t = useText('people')
  const mayBind = can(grantToUser.access)
  return (
    <div className={styles.parts}>
      <Section title={t('bind.bound')} note={String(doctor.machineCount)}>
        <Choose
          key={doctor.machines.map(({ id }) => id).join()}
          machines={doctor.machines}
          none={t('bind.none')}
          userId={doctor.id}
          mayBind={mayBind}
          verb="unbind"
        />
      </Section>
      {mayBind && <Free doctor={doctor} />}
    </div>
  )
}

function Free({ doctor }: { doctor: DoctorDetail }) {
  const t = useText('people')
  const [q, setQ] = useState('')
  const input = { id: doctor.id, state: 'free', pageSize: 50, ...(q.trim() ? { q: q.trim() } : {}) } as const
  const { data } = useEndpoint(listUserMachines, input)
  return (
    <Section title={t('bind.free')}>
      <div className={styles.line}>
        <input
          type="search"
          className={styles.search}
          value={q}
          maxLength={64}
          aria-label={t('machines.search')}
          placeholder={t('machines.search')}
          onChange={({ target }) => setQ(target.value)}
        />
        <Link to={screenOf('shgl/tdjqsq').path} search={{ to: `user-${doctor.id}` }} className="btn">
          {t('bind.batch')}
        </Link>
      </div>
      {data && (
        <Choose
          key={data.items.map(({ id }) => id).join()}
          machines={data.items}
          none={t('bind.free.none')}
          userId={doctor.id}
          mayBind
          verb="bind"
        />
      )}
    </Section>
  )
}

function Choose(props: {
  machines: readonly { id: number; code: string; name: string; pointName: string }[]
  none: string
  userId: number
  mayBind: boolean
  verb: 'bind' | 'unbind'
}) {
  const { machines, none, userId, mayBind, verb } = props
  const t = useText('people')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const onSuccess = async ({ changed }: { changed: number }) => {
    toast('good', t(`${verb}.done`, { count: changed }))
    setChosen(new Set())
    await refetch(getDoctor, listDoctors, listUserMachines)
  }
  const bind = useCommand(grantToUser, { onSuccess })
  const release = useCommand(revokeFromUser, { onSuccess })
  const isPending = bind.isPending || release.isPending
  const save = () => {
    const input = { id: userId, machines: { machineIds: [...chosen] } }
    if (verb === 'bind') bind.mutate(input)
    else release.mutate(input)
  }
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  if (machines.length === 0) return <p className="quiet">{none}</p>
  return (
    <>
      <ShortList
        rows={machines}
        says={({ id, code, name, pointName }) => (
          <label className={styles.line}>
            {mayBind && (
              <input type="checkbox" aria-label={code} checked={chosen.has(id)} onChange={() => toggle(id)} />
            )}
            <span>
              <ScreenLink screen="shj/wdshj" search={{ code }}>
                {code}
              </ScreenLink>{' '}
              {name} <small className="quiet">{pointName}</small>
            </span>
          </label>
        )}
      />
      {mayBind && (
        <p>
          <button type="button" className="btn" disabled={chosen.size === 0 || isPending} onClick={save}>
            {t(`${verb}.do`, { count: chosen.size })}
          </button>
        </p>
      )}
    </>
  )
}
