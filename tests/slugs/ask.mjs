// Names of the headings that are given as JSON, by rule.
import { slug } from 'github-slugger';
import { slugify } from '@mdit-vue/shared';

const headings = JSON.parse(process.argv[2]);
console.log(JSON.stringify({ github: headings.map((words) => slug(words)), vitepress: headings.map((words) => slugify(words)) }));
