import { foldText } from './fold-text.js';

/** Both ISO 3166-1 codes of every country. Kosovo's codes are in use without being part of the standard. */
const CODES = `
  ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL
  BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD
  CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA
  DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
  GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN
  IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA
  KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE
  MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
  NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
  PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN
  SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL
  TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
  VNVNM VUVUT WFWLF WSWSM XKXKX YEYEM YTMYT ZAZAF ZMZMB ZWZWE`
  .trim()
  .split(/\s+/);

/** Languages in which country names are recognised. If two languages disagree, the earlier one counts. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];

/** Names that are in use besides those of the languages above. */
const ALSO: Record<string, string> = {
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'united kingdom of great britain and northern ireland': 'GB',
  'united states of america': 'US',
  america: 'US',
  'vereinigte staaten von amerika': 'US',
  'etats unis d amerique': 'US',
  'estados unidos de america': 'US',
  eeuu: 'US',
  'federal republic of germany': 'DE',
  'bundesrepublik deutschland': 'DE',
  brd: 'DE',
  holland: 'NL',
  'czech republic': 'CZ',
  'tschechische republik': 'CZ',
  turkey: 'TR',
  turkiye: 'TR',
  'russian federation': 'RU',
  'republic of korea': 'KR',
  korea: 'KR',
  'korea republic of': 'KR',
  'republic of ireland': 'IE',
  'peoples republic of china': 'CN',
  uae: 'AE',
  'hong kong': 'HK',
  'hong kong sar': 'HK',
  macau: 'MO',
  macao: 'MO',
  macedonia: 'MK',
  'viet nam': 'VN',
  burma: 'MM',
  swaziland: 'SZ',
  'ivory coast': 'CI',
  'cape verde': 'CV',
  'vatican city': 'VA',
  osterreich: 'AT',
  sverige: 'SE',
  norge: 'NO',
  danmark: 'DK',
  suomi: 'FI',
  magyarorszag: 'HU',
  ceska: 'CZ',
  cesko: 'CZ',
  'ceska republika': 'CZ',
  slovensko: 'SK',
  slovenija: 'SI',
  hrvatska: 'HR',
  srbija: 'RS',
  lietuva: 'LT',
  latvija: 'LV',
  eesti: 'EE',
  eire: 'IE',
  россия: 'RU',
  украина: 'UA',
  україна: 'UA',
  ελλαδα: 'GR',
  българия: 'BG',
  日本: 'JP',
  中国: 'CN',
  대한민국: 'KR',
};

const COUNTRIES = new Map<string, string>();

export function readCountry(text: string): string | undefined {
  if (COUNTRIES.size === 0) learnCountries();
  return COUNTRIES.get(plain(text.slice(0, 100)));
}

function learnCountries(): void {
  for (const code of CODES) {
    const alpha2 = code.slice(0, 2);
    COUNTRIES.set(plain(alpha2), alpha2).set(plain(code.slice(2)), alpha2);
  }
  for (const [name, code] of Object.entries(ALSO)) learn(name, code);
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of CODES) learn(names.of(code.slice(0, 2)), code.slice(0, 2));
  }
}

function learn(name: string | undefined, code: string): void {
  const key = plain(name ?? '');
  if (key && !COUNTRIES.has(key)) COUNTRIES.set(key, code);
}

/** Shortens "U.S.A." and "The Netherlands" to "usa" and "netherlands". */
function plain(name: string): string {
  return foldText(name)
    .replace(/[.'’]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
}
