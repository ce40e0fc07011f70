import type { MedicineGroup } from './catalog.types'

/**
 * Generic names under invented makers. Classes are those such products are commonly registered with; a demo's
 * catalogue, not a reference.
 */
export const medicines: readonly MedicineGroup[] = [
  {
    prefix: 'RA',
    category: '解热镇痛',
    shape: 'capsules',
    season: 'flu',
    unit: '盒',
    manufacturer: '东岚制药有限公司',
    lines: [
      ['布洛芬缓释胶囊', 'otc_a', '0.3g×20粒', 980, 1880, '#d9534f', '#f7e3c1', 9],
      ['复方氨酚烷胺胶囊', 'otc_a', '12粒', 620, 1380, '#3f7fbf', '#f2c14e', 7],
      ['维生素E软胶囊', 'otc_b', '100mg×30粒', 880, 1990, '#e6a23c', '#f7d78a', 4],
      ['复方盐酸伪麻黄碱缓释胶囊', 'otc_a', '90mg×10粒', 1180, 2480, '#d9534f', '#2f78b7', 8],
    ],
  },
  {
    prefix: 'RB',
    category: '解热镇痛',
    shape: 'tablets',
    season: 'flu',
    unit: '盒',
    manufacturer: '东岚制药有限公司',
    lines: [
      ['对乙酰氨基酚片', 'otc_b', '0.5g×12片', 380, 980, '#e07b39', '#ffffff', 8],
      ['维生素C片', 'otc_b', '100mg×60片', 420, 990, '#f2a33a', '#fff4d9', 7],
      ['复合维生素B片', 'otc_b', '60片', 380, 880, '#e0b93a', '#fff6d6', 4],
    ],
  },
  {
    prefix: 'RC',
    category: '感冒用药',
    shape: 'sachets',
    season: 'flu',
    unit: '盒',
    manufacturer: '松溪药业有限公司',
    lines: [
      ['板蓝根颗粒', 'otc_b', '10g×10袋', 680, 1580, '#3b8a57', '#dff0d8', 9],
      ['感冒清热颗粒', 'otc_b', '12g×10袋', 780, 1680, '#2f78b7', '#dcebf8', 8],
      ['抗病毒颗粒', 'otc_b', '9g×10袋', 880, 1880, '#5a6fb5', '#e5e8f7', 6],
      ['小儿氨酚黄那敏颗粒', 'otc_a', '6g×10袋', 690, 1590, '#f09abf', '#fdeaf2', 5],
      ['小柴胡颗粒', 'otc_b', '6g×10袋', 980, 2180, '#7aa34a', '#eef5dc', 6],
    ],
  },
  {
    prefix: 'RD',
    category: '止咳化痰',
    shape: 'syrup',
    season: 'flu',
    unit: '瓶',
    manufacturer: '松溪药业有限公司',
    lines: [
      ['川贝枇杷糖浆', 'otc_b', '150ml', 980, 2280, '#a9622c', '#f6dfb4', 7],
      ['盐酸氨溴索口服溶液', 'otc_a', '100ml', 1080, 2380, '#4a90c2', '#ffffff', 4],
      ['小儿止咳糖浆', 'otc_b', '100ml', 680, 1580, '#e58aa8', '#fff0f5', 4],
    ],
  },
  {
    prefix: 'RE',
    category: '咽喉用药',
    shape: 'tablets',
    season: 'flu',
    unit: '盒',
    manufacturer: '松溪药业有限公司',
    lines: [
      ['西瓜霜含片', 'otc_b', '24片', 520, 1280, '#4f9d69', '#fbe5e1', 7],
      ['复方草珊瑚含片', 'otc_b', '32片', 480, 1180, '#7b8f3a', '#f4f3d8', 5],
    ],
  },
  {
    prefix: 'RF',
    category: '胃肠用药',
    shape: 'tablets',
    season: 'even',
    unit: '盒',
    manufacturer: '瑞泽堂药业有限公司',
    lines: [
      ['健胃消食片', 'otc_b', '0.8g×32片', 480, 1180, '#c98a2b', '#fbeac9', 8],
      ['铝碳酸镁咀嚼片', 'otc_b', '0.5g×20片', 980, 2180, '#3f9fae', '#e3f4f6', 5],
      ['复方消化酶片', 'otc_b', '20片', 780, 1780, '#b5683c', '#f6e4d6', 3],
    ],
  },
  {
    prefix: 'RG',
    category: '胃肠用药',
    shape: 'sachets',
    season: 'summer',
    unit: '盒',
    manufacturer: '瑞泽堂药业有限公司',
    lines: [
      ['蒙脱石散', 'otc_b', '3g×10袋', 780, 1690, '#c8a36a', '#fdf4e3', 7],
      ['口服补液盐散', 'otc_b', '5.125g×6袋', 880, 1980, '#4aa3a5', '#e0f4f4', 5],
    ],
  },
  {
    prefix: 'RH',
    category: '清热解暑',
    shape: 'syrup',
    season: 'summer',
    unit: '盒',
    manufacturer: '瑞泽堂药业有限公司',
    lines: [['藿香正气口服液', 'otc_b', '10ml×10支', 980, 2280, '#6b8e23', '#f2efc9', 8]],
  },
  {
    prefix: 'RI',
    category: '抗过敏',
    shape: 'tablets',
    season: 'spring',
    unit: '盒',
    manufacturer: '东岚制药有限公司',
    lines: [
      ['氯雷他定片', 'otc_a', '10mg×6片', 680, 1580, '#5b9bd5', '#e6f0fa', 7],
      ['盐酸西替利嗪片', 'otc_a', '10mg×12片', 880, 1990, '#7e6bc4', '#eeebfa', 5],
    ],
  },
  {
    prefix: 'RJ',
    category: '皮肤用药',
    shape: 'tube',
    season: 'summer',
    unit: '支',
    manufacturer: '青禾堂药业有限公司',
    lines: [
      ['莫匹罗星软膏', 'otc_b', '2%×10g', 980, 2180, '#3f8f8b', '#ffffff', 5],
      ['红霉素软膏', 'otc_b', '1%×10g', 180, 580, '#d98f3e', '#ffffff', 6],
      ['硝酸咪康唑乳膏', 'otc_b', '2%×20g', 680, 1680, '#4b7fc0', '#ffffff', 4],
      ['盐酸特比萘芬乳膏', 'otc_b', '1%×15g', 780, 1780, '#e59aa9', '#ffffff', 4],
      ['双氯芬酸二乙胺凝胶', 'otc_b', '20g', 980, 2380, '#e0a52f', '#ffffff', 5],
    ],
  },
  {
    prefix: 'RK',
    category: '眼鼻用药',
    shape: 'drops',
    season: 'spring',
    unit: '支',
    manufacturer: '青禾堂药业有限公司',
    lines: [
      ['玻璃酸钠滴眼液', 'otc_b', '0.1%×5ml', 1480, 2980, '#49a8d8', '#ffffff', 6],
      ['生理性海水鼻腔喷雾', 'otc_b', '60ml', 1680, 3580, '#2f7fb8', '#ffffff', 4],
      ['风油精', 'otc_b', '6ml', 220, 600, '#2f9e44', '#ffffff', 6],
    ],
  },
  {
    prefix: 'RX',
    category: '处方药',
    shape: 'tablets',
    season: 'even',
    unit: '盒',
    manufacturer: '东岚制药有限公司',
    lines: [
      ['苯磺酸氨氯地平片', 'rx', '5mg×14片', 980, 1980, '#35618f', '#e4ecf4', 6],
      ['盐酸二甲双胍缓释片', 'rx', '0.5g×30片', 980, 2080, '#4a8c5c', '#e2f0e6', 6],
      ['阿托伐他汀钙片', 'rx', '20mg×7片', 1280, 2680, '#a0522d', '#f4e6de', 5],
    ],
  },
  {
    prefix: 'RY',
    category: '处方药',
    shape: 'capsules',
    season: 'flu',
    unit: '盒',
    manufacturer: '东岚制药有限公司',
    lines: [
      ['阿莫西林胶囊', 'rx', '0.25g×24粒', 680, 1480, '#c0504d', '#f2d25a', 6],
      ['奥美拉唑肠溶胶囊', 'rx', '20mg×14粒', 780, 1680, '#7d5ba6', '#f0c6d8', 4],
    ],
  },
]

/** Codes of the dictionary, by what names of medicines end with. */
export const dosageForms: Record<string, string> = {
  片: 'tablet',
  缓释片: 'slowTablet',
  泡腾片: 'effervescent',
  胶囊: 'capsule',
  软胶囊: 'softCapsule',
  缓释胶囊: 'slowCapsule',
  肠溶胶囊: 'entericCapsule',
  颗粒: 'granules',
  散: 'powder',
  丸: 'pill',
  口服液: 'oralLiquid',
  糖浆: 'syrup',
  乳膏: 'cream',
  软膏: 'ointment',
  滴眼液: 'eyeDrops',
  喷雾: 'spray',
  贴膏: 'patch',
}

/** Batches that were put in long ago: days until they expire, and how many pieces. */
export const lateBatches = [
  { number: '24112201', daysLeft: -3, quantity: 3 },
  { number: '24121702', daysLeft: 24, quantity: 4 },
  { number: '25022503', daysLeft: 92, quantity: 5 },
]
/** What is done when medicines are looked at. */
export const measures = ['通风除湿，检查外观与密封', '核对批号与有效期，清洁货道', '']
