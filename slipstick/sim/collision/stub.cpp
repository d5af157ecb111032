#include "slipstick/sim/collision/collision.hpp"
#include <algorithm>
#include <map>
#include <set>
namespace slipstick::internal {
using Eigen::Vector3d;
class Collision::Work { public: Scene scene; std::set<std::array<int,2>> excluded; };
Collision::Collision(const Scene& s, std::span<const std::array<int,2>> ex) : work_(new Work{s,{}}) { for (auto e: ex) { if (e[0]>e[1]) std::swap(e[0],e[1]); work_->excluded.insert(e);} }
Collision::~Collision() = default; Collision::Collision(Collision&&) noexcept = default; Collision& Collision::operator=(Collision&&) noexcept = default;
void Collision::save(std::ostream&) const {} void Collision::restore(std::istream&) {}
double Collision::smallest_extent(int b) const { for (auto& p: work_->scene.bodies[b].shapes) { auto& g=work_->scene.shapes[p.shape].geometry; if (auto* s=std::get_if<SphereShape>(&g)) return 2*s->radius; if (auto* s=std::get_if<BoxShape>(&g)) return s->size.minCoeff(); } return 1e300; }
void Collision::find(std::span<const BodyState> B, const CollisionScope& sc, std::vector<TouchPoint>& out) {
  out.clear(); auto& S=work_->scene; int n=B.size();
  for (int i=0;i<n;++i) for (int j=i+1;j<n;++j) {
    if (S.bodies[i].kind!=BodyKind::movable && S.bodies[j].kind!=BodyKind::movable) continue;
    if (work_->excluded.count({i,j})) continue;
    for (auto& pi: S.bodies[i].shapes) for (auto& pj: S.bodies[j].shapes) {
      auto& gi=S.shapes[pi.shape].geometry; auto& gj=S.shapes[pj.shape].geometry;
      double reach = sc.time_step*((B[i].velocity-B[j].velocity).norm() + B[i].spin.norm()*2+B[j].spin.norm()*2)+ sc.time_step*sc.time_step*sc.gravity.norm()*2;
      auto add=[&](int f, Vector3d nrm, Vector3d p, double gap, double ext){ if (gap<=std::max(reach,0.02*ext)) out.push_back({(std::uint64_t(i)<<37)|(std::uint64_t(j)<<12)|std::uint64_t(f),{i,j},{pi.material,pj.material},nrm,p,gap}); };
      auto* si=std::get_if<SphereShape>(&gi); auto* sj=std::get_if<SphereShape>(&gj);
      auto* bj=std::get_if<BoxShape>(&gj); auto* li=std::get_if<PlaneShape>(&gi); auto* bi=std::get_if<BoxShape>(&gi);
      if (si&&sj) { Vector3d d=B[i].position-B[j].position; double g=d.norm()-si->radius-sj->radius; Vector3d u=d.normalized(); add(0,u,B[j].position+u*(sj->radius+g/2),g,si->radius); }
      if (li&&sj) { Vector3d u=B[i].orientation*Vector3d::UnitZ(); double g=u.dot(B[j].position-B[i].position)-sj->radius; add(0,-u,B[j].position-u*(sj->radius+g/2),g,sj->radius); }
      if (li&&bj) { Vector3d u=B[i].orientation*Vector3d::UnitZ(); for (int c=0;c<8;++c) { Vector3d q(c&1?1:-1,c&2?1:-1,c&4?1:-1); q=0.5*q.cwiseProduct(bj->size); Vector3d w=B[j].position+B[j].orientation*q; double g=u.dot(w-B[i].position); add(c,-u,w-u*g/2,g,bj->size.minCoeff()); } }
      if (bi&&bj) { // stacked, aligned by i's axes
        Vector3d u=B[i].orientation*Vector3d::UnitZ(); double s=(B[j].position-B[i].position).dot(u)>0?1:-1; 
        for (int c=0;c<4;++c) { Vector3d q(c&1?1:-1,c&2?1:-1,-s); q=0.5*q.cwiseProduct(bj->size); Vector3d w=B[j].position+B[j].orientation*q; double g=s*u.dot(w-B[i].position)-bi->size.z()/2; Vector3d l=B[i].orientation.conjugate()*(w-B[i].position); if (std::abs(l.x())>bi->size.x()*0.75||std::abs(l.y())>bi->size.y()*0.75) continue; if (g<-0.5*bi->size.z()) continue; add(c,-s*u,w-s*u*g/2,g,bj->size.minCoeff()); } }
    }
  }
  std::sort(out.begin(),out.end(),[](auto&a,auto&b){return a.key<b.key;});
}
}
