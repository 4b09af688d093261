"""The bill of materials of the binary, as CycloneDX 1.6 in JSON: what `cargo metadata` says of its dependencies.

Build dependencies and macros are in it, as they had a hand in the binary; what only tests use is not.
"""
import json
import re
import subprocess
import tomllib

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

metadata = json.loads(subprocess.run(
    ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", "x86_64-unknown-linux-gnu"],
    check=True, capture_output=True, text=True).stdout)
with open("Cargo.lock", "rb") as file:
    checksums = {(p["name"], p["version"]): p.get("checksum") for p in tomllib.load(file)["package"]}
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
root = metadata["resolve"]["root"]


def needs(node):
    """What a package links or builds with: all but what only its tests use."""
    return sorted(d["pkg"] for d in nodes[node]["deps"] if any(k["kind"] != "dev" for k in d["dep_kinds"]))


reached, todo = set(), [root]
while todo:
    node = todo.pop()
    if node not in reached:
        reached.add(node)
        todo += needs(node)


def purl(node):
    return f"pkg:cargo/{packages[node]['name']}@{packages[node]['version']}"


def component(node):
    package = packages[node]
    entry = {"type": "application" if node == root else "library", "bom-ref": purl(node), "name": package["name"],
             "version": package["version"], "purl": purl(node)}
    # Old manifests write MIT/Apache-2.0 for MIT OR Apache-2.0.
    entry["licenses"] = [{"expression": re.sub(r"\s*/\s*", " OR ", package["license"])}]
    if checksum := checksums[package["name"], package["version"]]:
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return entry


bom = json.dumps({
    "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
    "metadata": {"component": component(root)},
    "components": [component(node) for node in sorted(reached - {root}, key=purl)],
    "dependencies": [{"ref": purl(node), "dependsOn": [purl(n) for n in needs(node)]} for node in sorted(reached, key=purl)],
}, indent=1)
fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(bom)
if fault:
    raise SystemExit(f"no valid CycloneDX: {fault}")
print(bom)
