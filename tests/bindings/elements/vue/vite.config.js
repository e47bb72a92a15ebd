import vue from "@vitejs/plugin-vue";

const isCustomElement = (tag) => tag === "lead-review";

export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };
