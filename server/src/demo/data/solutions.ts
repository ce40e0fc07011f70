import type { addSolution } from '@aisle/contract/support/solution'
import type { CallOf } from '@aisle/contract/kernel/endpoint'

/** What fitters have learnt of the faults that machines report most. */
export const solutions: readonly CallOf<typeof addSolution>[] = [
  {
    name: '弹簧卡货处理',
    cause: 'jam',
    symptom: '电机转动但商品悬在弹簧末端，掉货检测没有信号。',
    steps:
      '1. 停售该货道。\n2. 开门取下卡住的商品，检查弹簧末端朝向是否为 6 点钟方向。\n3. 商品宽度小于弹簧间距时更换弹簧。\n4. 试出货两次，均掉落后恢复销售。',
  },
  {
    name: '货道电机更换',
    cause: 'slot_fault',
    symptom: '出货指令后电机不转，或转动超时。',
    steps: '1. 交换相邻电机判断是电机还是驱动板。\n2. 更换电机，检查微动开关复位。\n3. 在“机器测试”里对该货道试转。',
  },
  {
    name: '网络不稳定离线',
    cause: 'offline',
    symptom: '每天固定时段离线数分钟。',
    steps: '1. 查看信号强度，低于 -95 dBm 时移动天线。\n2. 查询流量卡是否停机或超量。\n3. 重启工控机后观察一天。',
  },
  {
    name: '制冷不足',
    cause: 'temperature',
    symptom: '箱内温度持续高于设定值 3 ℃ 以上。',
    steps: '1. 清理冷凝器灰尘，后背离墙至少 15 厘米。\n2. 检查门封与门灯。\n3. 压缩机不启动时报修，并转移药品。',
  },
]
