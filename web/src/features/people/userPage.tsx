import { getUser, type UserDetail } from '@aisle/contract/people/user'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { useAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'

const shape = { id: z.coerce.number().int().positive() }

/** A page about one person, who is named in the address (`?id=`); without one it leads to the list to choose from. */
export function userPage(screen: string, Body: ComponentType<{ user: UserDetail }>): ComponentType {
  const { path } = screenOf(screen)
  return function UserPage() {
    const title = useText('screens').any(screen)
    const { id } = useAddress(path, shape).query
    return (
      <div className="list-main">
        <header className="list-head">
          <h1>{title}</h1>
        </header>
        {id ? <Loaded key={id} id={Number(id)} Body={Body} /> : <NobodyChosen />}
        <Hints />
      </div>
    )
  }
}

function Loaded({ id, Body }: { id: number; Body: ComponentType<{ user: UserDetail }> }) {
  const { data, error, refetch } = useEndpoint(getUser, { id }, { errors: 'throw' })
  if (data) return <Body user={data} />
  return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
}

function NobodyChosen() {
  const t = useText('people')
  return (
    <Empty icon="user" title={t('nobody')} text={t('nobody.hint')}>
      <Link className="btn btn-main" to={screenOf('shgl/wdtd').path}>
        {t('nobody.go')}
      </Link>
    </Empty>
  )
}
